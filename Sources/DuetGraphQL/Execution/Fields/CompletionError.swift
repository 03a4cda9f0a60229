/// The error of a resolver whose result is not a value of the field's type (CompleteValue; specification, section
/// 6.4.3). Examples are null for a non-null type, a number that is not an `Int`, an unknown enum value, and an object
/// whose object type is unknown.
///
/// The resolver caused the error. ``ExecutionOptions/message`` determines the text that the client receives. By
/// default, this text is the ``message`` of the error, which can contain the resolver's value. In
/// ``GraphQLResponse/errors``, the error is the `underlyingError` of a `GraphQLError`. Underlying errors are for logs,
/// and are not sent to the client.
public struct CompletionError: Error, Sendable, LocatedError {
    /// A description of the error. The wording follows graphql-js.
    public let message: String
    /// The schema coordinate of the field, such as `Book.price`.
    public internal(set) var field: String?
    /// The Swift type of the object that the resolver returned, if this type is the cause of the error.
    let source: (any Any.Type)?

    init(_ message: String, source: (any Any.Type)? = nil) {
        self.message = message
        self.source = source
    }

    /// Returns the error for null at a non-null response position.
    static func nonNull(_ field: PlannedField) -> CompletionError {
        CompletionError("Cannot return null for non-nullable field \(field.coordinate).")
    }
}

extension CompletionError: CustomStringConvertible {
    /// The field's coordinate, the message, and the Swift type of the object, for a log.
    public var description: String {
        (field.map { "\($0): " } ?? "") + message + (source.map { " The source is a \($0)." } ?? "")
    }
}

/// An error of the engine that contains the field's coordinate.
protocol LocatedError: Error {
    /// The schema coordinate of the field; nil until it is known.
    var field: String? { get set }
}

extension PlannedField {
    /// The schema coordinate of the field, such as `Book.price`.
    var coordinate: String { "\(parentType.name).\(name)" }
}
