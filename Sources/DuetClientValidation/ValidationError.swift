public import DuetClient

/// One fault of a document, of a model or of a schema.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault and, where there is one, the remedy.
    public var message: String
    /// The Swift type of the operation; `nil` for a fault of the schema.
    public var operation: String?
    /// The model that reads the field; `nil` for a fault of a text.
    public var model: String?
    /// The response name of the field, which is usually the name of the property; `nil` for a fault of the whole model.
    public var property: String?
    /// The place in the Swift source that reads the field.
    public var place: SourcePlace?
    /// The line in the text of the schema, or of a document that is written in GraphQL; 1 is the first.
    public var line: Int?
    /// The column in that line, in units of UTF-16; 1 is the first.
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

    /// The place, the Swift type and property, the operation and the message, in one line.
    public var description: String {
        var subject = model ?? operation ?? "The schema"
        if let property { subject += ".\(property)" }
        if let operation, model != nil, model != operation { subject += " in \(operation)" }
        if let line, let column { subject += ", line \(line), column \(column)" }
        return (place.map { "\($0): " } ?? "") + "\(subject): \(message)"
    }
}

/// All faults of some operations, or of a schema; at least one.
public struct ValidationErrors: Error, Sendable, Hashable, RandomAccessCollection, CustomStringConvertible {
    /// The faults, in the order of the operations and of the fields.
    public let errors: [ValidationError]

    init(_ errors: [ValidationError]) { self.errors = errors }

    /// Always 0.
    public var startIndex: Int { errors.startIndex }
    /// The number of faults.
    public var endIndex: Int { errors.endIndex }
    /// The fault at that position.
    public subscript(position: Int) -> ValidationError { errors[position] }

    /// A line for each fault.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
