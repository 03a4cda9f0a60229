/// A field of a GraphQL type: its name, its arguments, and the Swift type of its value.
///
/// `duet generate --field-lists` generates the typed fields of a schema as constants and functions. If a model reads a
/// field that does not exist, or reads a field as a wrong Swift type, the compiler reports an error.
public struct TypedField<Value: FieldDecodable>: Sendable {
    /// The name in the schema.
    public let name: String
    /// The arguments.
    public let arguments: Arguments

    /// Creates a field.
    /// - Parameters:
    ///   - name: The name in the schema.
    ///   - arguments: The names and values of the arguments. An argument whose value is `nil` is omitted.
    public init(_ name: String, arguments: [(name: String, value: ArgumentValue?)] = []) {
        self.name = name
        self.arguments = Arguments(
            arguments.compactMap { argument in argument.value.map { Arguments.Element(argument.name, $0) } })
    }
}

extension DynamicDecoder {
    /// Reads a typed field.
    /// - Parameters:
    ///   - field: The field with its arguments.
    ///   - alias: The response name, if it differs from the name. It is required if the model reads a field twice with
    ///     different arguments.
    ///   - maximumDepth: The maximum nesting depth, if the field's model contains itself. A value below this depth is
    ///     `nil` or an empty list.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Throws: ``ModelError``.
    public func value<Value>(
        _ field: TypedField<Value>, alias: String? = nil, maximumDepth: Int? = nil, fileID: StaticString = #fileID,
        line: Int = #line
    ) throws(ModelError) -> Value {
        try value(
            field.name, alias: alias, arguments: field.arguments, maximumDepth: maximumDepth, as: Value.self,
            fileID: fileID, line: line)
    }

    /// Reads a typed field, if conditions are true.
    /// - Parameters:
    ///   - field: The field with its arguments.
    ///   - alias: The response name, if it differs from the name.
    ///   - conditions: The conditions under which the field is selected. All conditions must be true.
    ///   - maximumDepth: The maximum nesting depth, if the field's model contains itself.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: The value, or `nil` if a condition is false.
    /// - Throws: ``ModelError``.
    public func value<Value>(
        _ field: TypedField<Value>, alias: String? = nil, conditions: [FieldCondition], maximumDepth: Int? = nil,
        fileID: StaticString = #fileID, line: Int = #line
    ) throws(ModelError) -> Value? {
        try value(
            field.name, alias: alias, arguments: field.arguments, conditions: conditions, maximumDepth: maximumDepth,
            as: Value?.self, fileID: fileID, line: line)
    }
}
