/// A field of a GraphQL type with the Swift type of its value, so that a model cannot read another name or type.
///
/// `duet generate --field-lists` writes them for a schema.
public struct TypedField<Value: FieldDecodable>: Sendable {
    /// The name in the schema.
    public let name: String
    /// The arguments.
    public let arguments: Arguments

    /// A field.
    /// - Parameters:
    ///   - name: the name in the schema.
    ///   - arguments: names and values; an argument without a value is left out.
    public init(_ name: String, arguments: [(name: String, value: ArgumentValue?)] = []) {
        self.name = name
        self.arguments = Arguments(
            arguments.compactMap { argument in argument.value.map { Arguments.Element(argument.name, $0) } })
    }
}

extension DynamicDecoder {
    /// Reads a field whose type is known.
    /// - Parameters:
    ///   - field: the field with its arguments.
    ///   - alias: another name for the value in the response, for a field that the model reads twice with different arguments.
    ///   - maximumDepth: how many times the model of the field can be inside itself, for a model that contains itself. A value below
    ///     that is `nil` or an empty list.
    ///   - fileID: the file of the call, for messages.
    ///   - line: the line of the call, for messages.
    /// - Throws: ``ModelError``.
    public func value<Value>(
        _ field: TypedField<Value>, alias: String? = nil, maximumDepth: Int? = nil, fileID: StaticString = #fileID,
        line: Int = #line
    ) throws(ModelError) -> Value {
        try value(
            field.name, alias: alias, arguments: field.arguments, maximumDepth: maximumDepth, as: Value.self,
            fileID: fileID, line: line)
    }

    /// Reads a field whose type is known, under conditions.
    /// - Parameters:
    ///   - field: the field with its arguments.
    ///   - alias: another name for the value in the response.
    ///   - conditions: under which the field is selected; all must hold.
    ///   - maximumDepth: how many times the model of the field can be inside itself.
    ///   - fileID: the file of the call, for messages.
    ///   - line: the line of the call, for messages.
    /// - Returns: `nil` if the conditions do not hold.
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
