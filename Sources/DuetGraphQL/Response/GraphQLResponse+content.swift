public import DuetJSON
internal import NIOCore

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
