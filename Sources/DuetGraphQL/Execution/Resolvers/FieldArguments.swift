internal import DuetJSON

/// The coerced arguments of a field, with their Swift types.
///
/// The functions throw an error for an argument that the schema does not define, and for a value that does not have the
/// requested Swift type. These errors are mistakes in the resolver, so the client gets an internal error. There is one
/// exception: if an `ID` is read as an integer but is not an integer, the client gets a message about the argument.
///
/// An argument has no value if the operation omits it and the schema defines no default value. A function that reads
/// one argument throws an error for an argument without a value, unless its name contains `IfPresent`. It also throws
/// an error for null. The exception is `decode`, which accepts null if the requested type can be decoded from null.
public struct FieldArguments: Sendable {
    /// The arguments that have values, in the order of the schema.
    public let values: ObjectValue
    private let field: PlannedField
    private let schema: Schema

    init(_ values: ObjectValue, of field: PlannedField, in schema: Schema) {
        self.values = values
        self.field = field
        self.schema = schema
    }

    /// True if the argument has a value, which can be null.
    /// - Throws: ``ArgumentError``.
    public func contains(_ name: String) throws(ArgumentError) -> Bool { try value(name) != nil }

    // MARK: - Scalars

    /// The value of an argument of type `Int!`, or of type `ID!` if the IDs are integers.
    /// - Throws: ``ArgumentError``.
    public func int(_ name: String) throws(ArgumentError) -> Int { try required(name, intIfPresent(name)) }

    /// The value of an argument of type `Int`, or of type `ID` if the IDs are integers; nil for null and for an
    /// argument without a value.
    /// - Throws: ``ArgumentError``. If an `ID` is not an integer, the error has a ``ArgumentError/clientMessage``.
    public func intIfPresent(_ name: String) throws(ArgumentError) -> Int? {
        switch try nonNull(name) {
        case nil: return nil
        case .int(let number):
            if let int = Int(exactly: number) { return int }
            throw mismatch(name, .int(number), Int.self)
        case .string(let text) where field.field.arguments[name]?.type.typeName.name == "ID":
            if let int = Int.inShortestForm(text) { return int }
            throw ArgumentError(
                "\(coordinate(name)) has the value \(Value.string(text).inspected), which is not an integer",
                clientMessage: "The argument \"\(name)\" of \"\(field.coordinate)\" must be an integer.")
        case .some(let value): throw mismatch(name, value, Int.self)
        }
    }

    /// The value of an argument of type `Float!`.
    /// - Throws: ``ArgumentError``.
    public func double(_ name: String) throws(ArgumentError) -> Double { try required(name, doubleIfPresent(name)) }

    /// The value of an argument of type `Float`; nil for null and for an argument without a value.
    /// - Throws: ``ArgumentError``.
    public func doubleIfPresent(_ name: String) throws(ArgumentError) -> Double? {
        switch try nonNull(name) {
        case nil: return nil
        case .double(let number): return number
        case .int(let number): return Double(number)
        case .some(let value): throw mismatch(name, value, Double.self)
        }
    }

    /// The value of an argument of type `String!` or `ID!`, or the name of an enum value.
    /// - Throws: ``ArgumentError``.
    public func string(_ name: String) throws(ArgumentError) -> String { try required(name, stringIfPresent(name)) }

    /// The value of an argument of type `String` or `ID`, or the name of an enum value; nil for null and for an
    /// argument without a value.
    /// - Throws: ``ArgumentError``.
    public func stringIfPresent(_ name: String) throws(ArgumentError) -> String? {
        switch try nonNull(name) {
        case nil: return nil
        case .string(let text), .enum(let text): return text
        case .some(let value): throw mismatch(name, value, String.self)
        }
    }

    /// The value of an argument of type `Boolean!`.
    /// - Throws: ``ArgumentError``.
    public func bool(_ name: String) throws(ArgumentError) -> Bool { try required(name, boolIfPresent(name)) }

    /// The value of an argument of type `Boolean`; nil for null and for an argument without a value.
    /// - Throws: ``ArgumentError``.
    public func boolIfPresent(_ name: String) throws(ArgumentError) -> Bool? {
        guard let value = try nonNull(name) else { return nil }
        guard case .bool(let bool) = value else { throw mismatch(name, value, Bool.self) }
        return bool
    }

    // MARK: - Enums

    /// The value of an argument of a non-null enum type, as a case of a Swift enumeration. The raw value of the case is
    /// the name of the enum value.
    /// - Throws: ``ArgumentError``.
    public func `enum`<Enumeration: RawRepresentable<String>>(
        _ name: String, as type: Enumeration.Type = Enumeration.self
    ) throws(ArgumentError) -> Enumeration {
        try required(name, enumIfPresent(name, as: type))
    }

    /// The value of an argument of an enum type, as a case of a Swift enumeration; nil for null and for an argument
    /// without a value. The raw value of the case is the name of the enum value.
    /// - Throws: ``ArgumentError``.
    public func enumIfPresent<Enumeration: RawRepresentable<String>>(
        _ name: String, as type: Enumeration.Type = Enumeration.self
    ) throws(ArgumentError) -> Enumeration? {
        guard let text = try stringIfPresent(name) else { return nil }
        guard let value = Enumeration(rawValue: text) else { throw mismatch(name, .enum(text), type) }
        return value
    }

    // MARK: - Codable

    /// All arguments as one value: `try context.arguments.decode(BookFilter.self)`.
    ///
    /// An `ID` is decoded as a string or as an integer. To report an invalid value to the client, throw a
    /// `GraphQLError` in the `init(from:)` of the type.
    /// - Throws: ``ArgumentError``, or an error of the type's `init(from:)`.
    public func decode<Arguments: Decodable>(_ type: Arguments.Type = Arguments.self) throws -> Arguments {
        try decode(.object(values), type, argument: nil)
    }

    /// The value of an argument of any type, such as an input object or a list.
    ///
    /// An `ID` is decoded as a string or as an integer.
    /// - Throws: ``ArgumentError``, or an error of the type's `init(from:)`. If an `ID` is not an integer but the type
    ///   requires one, the error has a ``ArgumentError/clientMessage``.
    public func decode<Argument: Decodable>(
        _ name: String, as type: Argument.Type = Argument.self
    ) throws -> Argument {
        try decode(required(name, value(name)), type, argument: name)
    }

    /// The value of an argument of any type, such as an input object or a list; nil for null and for an argument
    /// without a value.
    ///
    /// An `ID` is decoded as a string or as an integer.
    /// - Throws: The errors of ``decode(_:as:)``.
    public func decodeIfPresent<Argument: Decodable>(
        _ name: String, as type: Argument.Type = Argument.self
    ) throws -> Argument? {
        try nonNull(name).map { try decode($0, type, argument: name) }
    }

    /// - Parameter argument: The name of the argument; nil if the value contains a member for each argument.
    private func decode<Decoded: Decodable>(
        _ value: Value, _ type: Decoded.Type, argument: String?
    ) throws -> Decoded {
        do {
            return try JSONValue(value).decode(type, readingIntegersIn: ids(in: value, argument: argument))
        } catch let error as DecodingError {
            throw ArgumentError(error, type, argument: argument, of: field.coordinate)
        }
    }

    /// Returns the positions of the strings of type `ID`, which can be decoded as integers.
    private func ids(in value: Value, argument: String?) -> IntegerStrings {
        if let argument {
            return field.field.arguments[argument].map { ids(in: value, of: $0.type) } ?? .none
        }
        guard case .object(let arguments) = value else { return .none }
        return ids(in: arguments, of: field.field.arguments)
    }

    private func ids(in value: Value, of type: GraphQLType) -> IntegerStrings {
        switch (value, type.nullable) {
        case (.string, .named(let name)): return name.name == "ID" ? .value : .none
        case (.list(let items), .list(let inner)): return .elements(items.map { ids(in: $0, of: inner) })
        case (.object(let fields), .named(let name)):
            guard case .inputObject(let object)? = schema[name] else { return .none }
            return ids(in: fields, of: object.fields)
        default: return .none
        }
    }

    private func ids(in values: ObjectValue, of definitions: NamedList<SchemaInputValue>) -> IntegerStrings {
        var members: [String: IntegerStrings] = [:]
        for (name, value) in values {
            guard let definition = definitions[name] else { continue }
            members[name] = ids(in: value, of: definition.type)
        }
        return .members(members)
    }
}

// MARK: - Errors

extension FieldArguments {
    private func value(_ name: String) throws(ArgumentError) -> Value? {
        if let value = values[name] { return value }
        guard field.field.arguments[name] == nil else { return nil }
        let names = field.field.arguments.map(\.name)
        throw ArgumentError(
            "\(coordinate(name)) is not defined; "
                + (names.isEmpty
                    ? "the field has no arguments" : "the field's arguments are \(names.joined(separator: ", "))"))
    }

    private func nonNull(_ name: String) throws(ArgumentError) -> Value? {
        let value = try value(name)
        return value == .null ? nil : value
    }

    private func required<Argument>(_ name: String, _ value: Argument?) throws(ArgumentError) -> Argument {
        guard let value else {
            throw ArgumentError(
                "\(coordinate(name)) has no value; read it with a function whose name contains IfPresent")
        }
        return value
    }

    private func mismatch(_ name: String, _ value: Value, _ type: any Any.Type) -> ArgumentError {
        ArgumentError("\(coordinate(name)) has the value \(value.inspected), which is not a value of type \(type)")
    }

    /// The schema coordinate of an argument.
    private func coordinate(_ name: String) -> String { "\(field.coordinate)(\(name):)" }
}

/// An argument that a resolver cannot read: it is not defined, has no value, or has a value of another type.
public struct ArgumentError: Error, Sendable, CustomStringConvertible {
    /// A message with the argument's schema coordinate, such as `Query.books(first:)`.
    public let description: String
    /// The message for the client if the client caused the error.
    public let clientMessage: String?

    init(_ description: String, clientMessage: String? = nil) {
        self.description = description
        self.clientMessage = clientMessage
    }

    /// Creates the error of a value that cannot be decoded. An `ID` that is not an integer is an error of the client,
    /// so the error has a ``clientMessage``. Any other error is an error of the resolver.
    /// - Parameters:
    ///   - argument: The name of the argument; nil if it is the first key of the error's path.
    ///   - field: The coordinate of the field.
    fileprivate init(_ error: DecodingError, _ type: any Any.Type, argument: String?, of field: String) {
        let context =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: DecodingError.Context(codingPath: [], debugDescription: "\(error)")
            }
        var path = context.codingPath[...]
        let name = argument ?? path.popFirst()?.stringValue
        let place = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        let coordinate = name.map { "\(field)(\($0):)" } ?? "\(field)"
        var clientMessage: String?
        if context.underlyingError is NoIntegerError, let name {
            clientMessage = "The argument \"\(name)\(place)\" of \"\(field)\" must be an integer."
        }
        self.init(
            "\(coordinate) cannot be decoded as \(type)\(place.isEmpty ? "" : ", at \(place)"): \(context.debugDescription)",
            clientMessage: clientMessage)
    }
}
