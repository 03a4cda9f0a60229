public import DuetClient

/// An error in a document, a model or a schema.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error and, if possible, a remedy.
    public var message: String
    /// The Swift type of the operation; `nil` for an error of the schema.
    public var operation: String?
    /// The model that reads the field; `nil` for an error of a schema or of a GraphQL document.
    public var model: String?
    /// The response name of the field, which is usually also the name of the property; `nil` for an error that does not
    /// concern a single field.
    public var property: String?
    /// The location of the Swift code that reads the field.
    public var place: SourcePlace?
    /// The line in the text of the schema or of a GraphQL document, starting at 1.
    public var line: Int?
    /// The column, in UTF-16 code units, starting at 1.
    public var column: Int?

    init(
        _ message: String, operation: String? = nil, model: String? = nil, property: String? = nil,
        place: SourcePlace? = nil, line: Int? = nil, column: Int? = nil
    ) {
        self.message = message
        self.operation = operation
        self.model = model
        self.property = property
        self.place = place
        self.line = line
        self.column = column
    }

    /// The error on one line: the location, the Swift type and property, the operation, and the message.
    public var description: String {
        var subject = model ?? operation ?? "The schema"
        if let property { subject += ".\(property)" }
        if let operation, model != nil, model != operation { subject += " in \(operation)" }
        if let line, let column { subject += ", line \(line), column \(column)" }
        return (place.map { "\($0): " } ?? "") + "\(subject): \(message)"
    }
}

/// The errors of operations or of a schema. There is at least one error.
public struct ValidationErrors: Error, Sendable, Hashable, RandomAccessCollection, CustomStringConvertible {
    /// The errors, in the order of the operations and of the fields.
    public let errors: [ValidationError]

    init(_ errors: [ValidationError]) { self.errors = errors }

    /// Always 0.
    public var startIndex: Int { errors.startIndex }
    /// The number of errors.
    public var endIndex: Int { errors.endIndex }
    /// The error at the position.
    public subscript(position: Int) -> ValidationError { errors[position] }

    /// The descriptions of the errors, one per line.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
