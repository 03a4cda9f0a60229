public import DuetJSON
public import NIOCore

/// A subsequent result of an ``IncrementalResponse``.
public struct IncrementalResult: Sendable {
    /// The result as JSON. The last result contains `"hasNext":false`.
    public let body: ByteBuffer
    /// The execution errors, with their underlying errors, for a log.
    public let errors: [GraphQLError]

    /// The body as text.
    public var text: String { String(buffer: body) }

    /// The body as JSON in UTF-8.
    public var bytes: [UInt8] { Array(body.readableBytesView) }

    /// The body as a JSON value.
    /// - Throws: `JSONError` if a ``ResolvedValue/raw(_:)`` or a subtree resolver wrote invalid JSON.
    public func json() throws -> JSONValue { try JSONValue(parsing: body.readableBytesView, maximumDepth: 512) }
}
