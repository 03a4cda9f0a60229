/// The error of a resolver's result that is no value of the field's type (CompleteValue; specification, section 6.4.3):
/// null for a non-null type, a number that is no `Int`, an unknown enum value, or a source whose object type is
/// unknown.
///
/// It is a mistake of the resolver. ``ExecutionOptions/message`` returns the message for the client; by default it is
/// ``message``, which can show the value. A log finds the error as the ``GraphQLError/underlyingError`` of the
/// response's errors.
public struct CompletionError: Error, Sendable, LocatedError {
    /// A description of the error, as other implementations of GraphQL show it to clients.
    public let message: String
    /// The schema coordinate of the field, such as `Book.price`.
    public internal(set) var field: String?
    /// The Swift type of the source, if that is the mistake.
    let source: (any Any.Type)?

    init(_ message: String, source: (any Any.Type)? = nil) {
        self.message = message
        self.source = source
    }

    /// The error of null at a non-null response position.
    static func nonNull(_ field: PlannedField) -> CompletionError {
        CompletionError("Cannot return null for non-nullable field \(field.coordinate).")
    }
}

extension CompletionError: CustomStringConvertible {
    /// The coordinate, the message, and the Swift type of the source, for a log.
    public var description: String {
        (field.map { "\($0): " } ?? "") + message + (source.map { " The source is a \($0)." } ?? "")
    }
}

/// An error of the engine that has the field's coordinate, once it is known.
protocol LocatedError: Error {
    /// The schema coordinate of the field.
    var field: String? { get set }
}

extension PlannedField {
    /// The schema coordinate of the field, such as `Book.price`.
    var coordinate: String { "\(parentType.name).\(name)" }
}
