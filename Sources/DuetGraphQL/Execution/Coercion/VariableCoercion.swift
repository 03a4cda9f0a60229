/// Coerces the variables of a request (CoerceVariableValues; specification, section 6.1.2).
struct VariableCoercion {
    private let schema: Schema
    private let source: Source
    private let maximumErrors: Int
    private var errors: [GraphQLError] = []
    private var suggestionBudget: Int

    private struct TooManyErrors: Error {}

    /// Returns the coerced values of an operation's variables, without the variables that have no value.
    /// - Throws: At most `maximumErrors` errors. If there are more, an additional error reports the limit.
    static func coerce(
        _ definitions: [VariableDefinition], given: ObjectValue, schema: Schema, source: Source, maximumErrors: Int,
        suggestsNames: Bool
    ) throws(GraphQLErrors) -> ObjectValue {
        if definitions.isEmpty { return [:] }
        var coercion = VariableCoercion(
            schema: schema, source: source, maximumErrors: maximumErrors, suggestsNames: suggestsNames)
        var values = ObjectValue()
        do {
            for definition in definitions { try coercion.coerce(definition, given, into: &values) }
        } catch {
            coercion.errors.append(
                GraphQLError("Too many errors processing variables, error limit reached. Execution aborted."))
        }
        if !coercion.errors.isEmpty { throw GraphQLErrors(coercion.errors) }
        return values
    }

    private init(schema: Schema, source: Source, maximumErrors: Int, suggestsNames: Bool) {
        self.schema = schema
        self.source = source
        self.maximumErrors = maximumErrors
        suggestionBudget = suggestsNames ? Suggestions.budget : 0
    }

    private mutating func addError(_ message: String, at range: SourceRange) throws(TooManyErrors) {
        guard errors.count < maximumErrors else { throw TooManyErrors() }
        errors.append(GraphQLError(message, locations: [source.location(of: range)]))
    }

    private mutating func coerce(
        _ definition: VariableDefinition, _ given: ObjectValue, into values: inout ObjectValue
    ) throws(TooManyErrors) {
        let name = definition.variable.name.value
        guard definition.type.listDepth <= Literal.deepestNesting else {
            return try addError(
                "Variable \"$\(name)\" has a type with more than \(Literal.deepestNesting) nested lists.",
                at: definition.type.range)
        }
        guard let type = schema.type(definition.type), schema.isInput(type) else {
            return try addError(
                "Variable \"$\(name)\" expected value of type \"\(definition.type)\" which cannot be used as an input type.",
                at: definition.type.range)
        }
        guard let value = given[name] else {
            if let literal = definition.defaultValue {
                do throws(GraphQLError) {
                    values[name] = try schema.coerce(literal, to: type)
                } catch {
                    try addError("Variable \"$\(name)\" has invalid default value; \(error.message)", at: literal.range)
                }
            } else if type.isNonNull {
                try addError(
                    "Variable \"$\(name)\" of required type \"\(type)\" was not provided.", at: definition.range)
            }
            return
        }
        if value == .null, type.isNonNull {
            return try addError(
                "Variable \"$\(name)\" of non-null type \"\(type)\" must not be null.", at: definition.range)
        }
        var input = InputCoercion(
            schema: schema, maximumInvalidValues: maximumErrors - errors.count + 1, suggestionBudget: suggestionBudget)
        let coerced = input.coerce(value, to: type)
        suggestionBudget = input.suggestionBudget
        for invalid in input.invalidValues {
            let position = invalid.path.isEmpty ? "" : " at \"\(name)\(invalid.pathText)\""
            try addError(
                "Variable \"$\(name)\" got invalid value \(invalid.value.inspected)\(position); \(invalid.message)",
                at: definition.range)
        }
        values[name] = coerced
    }
}
