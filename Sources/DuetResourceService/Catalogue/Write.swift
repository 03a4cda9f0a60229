public import DuetSQLDatabase

/// A write that clients can request: its input, its REST path and GraphQL arguments, and its effect in one transaction.
public struct Write: Sendable {
    /// The row that a write changes.
    public enum Target: Sendable, Hashable {
        /// A new row of the resource: `POST /employees`.
        case newItem
        /// An existing row of the resource: `PATCH /employees/{employeeNumber}`.
        case item
        /// The removal of an existing row of the resource: `DELETE /employees/{employeeNumber}`.
        case removal
        /// A new related row of an existing row: `POST /employees/{employeeNumber}/titles`.
        case newRelated(String)
        /// A related row of an existing row. The key of the existing row and the given fields of the related resource
        /// identify the related row: `PUT /employees/{employeeNumber}/departments/{departmentNumber}`.
        case relatedItem(String, by: [String])

        /// The name of the relation; nil if the write changes a row of the resource itself.
        var relation: String? {
            switch self {
            case .newItem, .item, .removal: nil
            case .newRelated(let name), .relatedItem(let name, _): name
            }
        }
    }

    /// A GraphQL argument that identifies the row of a write.
    public struct KeyArgument: Sendable, Hashable {
        /// The name, such as `employeeId`.
        public var name: String
        /// A sentence for the documentation.
        public var description: String

        /// Creates an argument.
        public init(_ name: String, _ description: String) {
            self.name = name
            self.description = description
        }
    }

    /// A member of the input. It sets a field.
    public struct Input: Sendable, Hashable {
        /// The field.
        public var field: Field
        /// True if the member is required.
        public var isRequired: Bool
        /// A sentence for the documentation of the input.
        public var description: String

        /// Creates a member.
        public init(_ field: Field, required isRequired: Bool, _ description: String) {
            self.field = field
            self.isRequired = isRequired
            self.description = description
        }
    }

    /// The name of the mutation, such as `createEmployee`.
    public var name: String
    /// The name of the resource.
    public var resource: String
    /// The row that the write changes.
    public var target: Target
    /// The arguments that identify the row in GraphQL. In REST, the path identifies the row.
    public var keyArguments: [KeyArgument]
    /// The members of the input.
    public var input: [Input]
    /// A sentence for the documentation.
    public var description: String
    /// True if the service repeats the transaction after a deadlock, and after a ``WriteRepetition`` that ``perform``
    /// throws.
    public var isRepeatable: Bool
    /// A closure that appends an error for each contradiction between the values. The values do not include missing or
    /// invalid members. The errors of invalid members and of missing required members have already been appended.
    public var validate: @Sendable (WriteValues, inout [ServiceError.FieldError]) -> Void
    /// A closure that checks the existence of the rows to which the write refers. It is called in the transaction,
    /// before the precondition is checked.
    public var check: @Sendable (WriteContext) throws -> Void
    /// A closure that performs the change in the transaction.
    public var perform: @Sendable (WriteContext) throws -> WriteOutcome

    /// Creates a write.
    public init(
        _ name: String, on resource: String, _ target: Target, keyArguments: [KeyArgument] = [], input: [Input] = [],
        description: String, isRepeatable: Bool = false,
        validate: @escaping @Sendable (WriteValues, inout [ServiceError.FieldError]) -> Void = { _, _ in },
        check: @escaping @Sendable (WriteContext) throws -> Void = { _ in },
        perform: @escaping @Sendable (WriteContext) throws -> WriteOutcome
    ) {
        self.name = name
        self.resource = resource
        self.target = target
        self.keyArguments = keyArguments
        self.input = input
        self.description = description
        self.isRepeatable = isRepeatable
        self.validate = validate
        self.check = check
        self.perform = perform
    }
}

/// The values of a write's input, by the names of the fields.
public struct WriteValues: Sendable {
    private var values: [(name: String, value: SQLValue)] = []

    /// Creates an input without values.
    public init() {}

    /// The value of a field; nil if the input does not contain the field.
    public internal(set) subscript(name: String) -> SQLValue? {
        get { values.first { $0.name == name }?.value }
        set {
            values.removeAll { $0.name == name }
            if let newValue { values.append((name, newValue)) }
        }
    }

    /// Returns the date of a field; nil if the input does not contain the field, or its value is not a date.
    public func date(_ name: String) -> CalendarDate? {
        if case .date(let date)? = self[name] { date } else { nil }
    }

    /// The names of the fields that the input contains, in the order of their definition.
    public var names: [String] { values.map(\.name) }
}

/// The context of a write in its transaction.
public struct WriteContext {
    /// The connection, which is in a write transaction.
    public let connection: Connection
    /// The key of the row that the write changes or, for a related row, of its parent row; empty for a new row of the
    /// resource.
    public let key: [SQLValue]
    /// The values of the fields of ``Write/Target/relatedItem(_:by:)``; empty for any other target.
    public let relatedKey: [SQLValue]
    /// The input.
    public let values: WriteValues
}

/// The effect of a write.
public struct WriteOutcome: Sendable {
    /// The key of the row that the write changed or, for a related row, of its parent row.
    public let key: [SQLValue]
    /// True if the write created a row.
    public let isNew: Bool

    /// Creates an outcome.
    public init(key: [SQLValue], isNew: Bool) {
        self.key = key
        self.isNew = isNew
    }
}

/// An error that ``Write/perform`` throws to request a repetition of the transaction after a rollback, for example
/// because a concurrent write has used the same number.
public struct WriteRepetition: Error {
    /// The error to report if the write was repeated too often.
    public let error: any Error

    /// Creates a repetition.
    public init(_ error: any Error) {
        self.error = error
    }
}
