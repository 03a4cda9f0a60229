public import DuetJSON
public import NIOCore

/// A response (specification, section 7): the JSON, and the properties that a transport needs.
public struct GraphQLResponse: Sendable {
    /// The kind of a response.
    public enum Kind: Sendable, Hashable {
        /// The operation was not executed. The response has errors and no `data`.
        case requestError
        /// The operation was executed. The response can have errors.
        case execution
    }

    /// The JSON `{"errors": …, "data": …, "extensions": …}`. Members without a value are omitted.
    public var body: ByteBuffer
    /// The kind of the response.
    public var kind: Kind
    /// True if `data` exists and is not null.
    public var hasData: Bool
    /// The errors, with underlying errors for a log. Do not send underlying errors to clients.
    public var errors: [GraphQLError]
    /// The cache policy. It is nil if the response must not be cached: the operation is not a query, the response has
    /// errors, or it is delivered incrementally.
    public var cachePolicy: CachePolicy?
    /// The entries of `extensions` in the body.
    public private(set) var extensions: ObjectValue = [:]
}

extension GraphQLResponse {
    /// Creates a response with request errors. The operation was not executed.
    public init(requestErrors errors: some Collection<GraphQLError>) {
        var writer = ResponseWriter()
        writer.begin(errors: errors)
        writer.end()
        self.init(body: writer.json.buffer, kind: .requestError, hasData: false, errors: Array(errors))
    }
}

extension GraphQLResponse {
    /// - Parameter extensions: The entries of `extensions` in the body.
    init(
        body: ByteBuffer, hasData: Bool, errors: [GraphQLError], cachePolicy: CachePolicy?, extensions: ObjectValue
    ) {
        self.init(body: body, kind: .execution, hasData: hasData, errors: errors, cachePolicy: cachePolicy)
        self.extensions = extensions
    }

    /// Adds entries to the `extensions` of the body, which must not have been changed since the execution. An entry
    /// replaces an earlier one with the same name.
    public mutating func add(extensions added: ObjectValue) {
        guard !added.isEmpty else { return }
        var end = ResponseWriter()
        end.end(extensions: extensions)
        for (name, value) in added { extensions[name] = value }
        body.moveWriterIndex(to: body.writerIndex - end.json.buffer.readableBytes)
        var writer = ResponseWriter(body)
        writer.end(extensions: extensions)
        body = writer.json.buffer
    }
}

// Accessors to the content of a response, for callers that do not import SwiftNIO.

extension GraphQLResponse {
    /// The body as text.
    public var text: String { String(buffer: body) }

    /// The body as JSON in UTF-8.
    public var bytes: [UInt8] { Array(body.readableBytesView) }

    /// The body as a JSON value.
    /// - Throws: `JSONError` if a ``ResolvedValue/raw(_:)`` or a subtree resolver wrote invalid JSON.
    public func json() throws -> JSONValue { try JSONValue(parsing: body.readableBytesView, maximumDepth: 512) }

    /// Decodes the value of `data`.
    ///
    ///     struct Books: Decodable { let books: [Book] }
    ///     let books = try response.decode(Books.self).books
    /// - Parameters:
    ///   - type: The type of `data`.
    ///   - allowsErrors: True to decode data with execution errors. Fields with errors are null.
    /// - Throws: `GraphQLErrors` for a response without data, and for a response with errors if `allowsErrors` is
    ///   false. `DecodingError` if the data cannot be decoded as `type`.
    public func decode<Data: Decodable>(_ type: Data.Type = Data.self, allowsErrors: Bool = false) throws -> Data {
        guard errors.isEmpty || allowsErrors && hasData else { throw GraphQLErrors(errors) }
        guard case .object(let response) = try json(), let data = response["data"] else {
            throw GraphQLErrors([GraphQLError("The response has no data.")])
        }
        return try data.decode(type)
    }
}
