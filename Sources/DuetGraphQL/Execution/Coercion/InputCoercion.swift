/// Coerces a variable's value to an input type (specification, sections 3.5 to 3.12, "Input Coercion"), and collects
/// the errors, up to a maximum number.
struct InputCoercion {
    /// A value that cannot be coerced: the variable's value, or a value inside it.
    struct InvalidValue {
        let path: [PathElement]
        let value: Value
        let message: String

        /// The path in the form `.name[index]`.
        var pathText: String {
            path.map { step in
                switch step {
                case .key(let name): ".\(name)"
                case .index(let index): "[\(index)]"
                }
            }.joined()
        }
    }

    private let schema: Schema
    private let maximumInvalidValues: Int
    private(set) var invalidValues: [InvalidValue] = []
    private var path: [PathElement] = []
    /// The number of character pairs that the search for suggestions can still compare.
    private(set) var suggestionBudget: Int

    init(schema: Schema, maximumInvalidValues: Int, suggestionBudget: Int) {
        self.schema = schema
        self.suggestionBudget = suggestionBudget
        self.maximumInvalidValues = maximumInvalidValues
    }

    private mutating func fail(_ message: @autoclosure () -> String, _ value: Value) -> Value? {
        if invalidValues.count < maximumInvalidValues {
            invalidValues.append(InvalidValue(path: path, value: value, message: message()))
        }
        return nil
    }

    private mutating func didYouMean(_ name: String, among options: [String], prefix: String = "") -> String {
        guard invalidValues.count < maximumInvalidValues, suggestionBudget > 0 else { return "" }
        return Suggestions.didYouMean(
            Suggestions.nearest(to: name, among: options, budget: &suggestionBudget), prefix: prefix)
    }

    /// Returns the coerced value, and appends errors to ``invalidValues``. The result is nil if the value itself is
    /// invalid. If an item of a list or a field of an input object is invalid, the result does not contain this item or
    /// field.
    ///
    /// The depth of the recursion is the nesting depth of the value, which the JSON parser limits.
    mutating func coerce(_ value: Value, to type: GraphQLType) -> Value? {
        guard invalidValues.count < maximumInvalidValues else { return nil }
        if value == .null {
            return type.isNonNull ? fail("Expected non-nullable type \"\(type)\" not to be null.", value) : .null
        }
        switch type.nullable {
        case .nonNull: return nil
        case .list(let itemType):
            guard case .list(let items) = value else { return coerce(value, to: itemType).map { .list([$0]) } }
            var values: [Value] = []
            values.reserveCapacity(items.count)
            for (index, item) in items.enumerated() {
                path.append(.index(index))
                if let value = coerce(item, to: itemType) { values.append(value) }
                path.removeLast()
            }
            return .list(values)
        case .named(let name):
            switch schema[name] {
            case .scalar(let scalar): return coerce(value, toScalar: scalar)
            case .enum(let type): return coerce(value, toEnum: type)
            case .inputObject(let type): return coerce(value, toObject: type)
            default: return fail("Expected type \"\(name)\".", value)
            }
        }
    }

    private mutating func coerce(_ value: Value, toScalar type: ScalarType) -> Value? {
        do {
            return try type.coercion.parseValue(value)
        } catch let error as GraphQLError {
            return fail(error.message, value)
        } catch {
            return fail("Expected type \"\(type.name)\". \(error)", value)
        }
    }

    private mutating func coerce(_ value: Value, toEnum type: EnumType) -> Value? {
        switch value {
        case .string(let name), .enum(let name):
            if type.values[name] != nil { return .enum(name) }
            let suggestion = didYouMean(name, among: type.values.map(\.name), prefix: "the enum value")
            return fail("Value \"\(name)\" does not exist in \"\(type.name)\" enum." + suggestion, value)
        default:
            let shown = value.inspected
            let suggestion = didYouMean(shown, among: type.values.map(\.name), prefix: "the enum value")
            return fail("Enum \"\(type.name)\" cannot represent non-string value: \(shown)." + suggestion, value)
        }
    }

    private mutating func coerce(_ value: Value, toObject type: InputObjectType) -> Value? {
        guard case .object(let given) = value else {
            return fail("Expected type \"\(type.name)\" to be an object.", value)
        }
        var values = ObjectValue()
        for field in type.fields {
            if let value = given[field.name] {
                path.append(.key(field.name))
                values[field.name] = coerce(value, to: field.type)
                path.removeLast()
            } else if field.defaultLiteral != nil {
                values[field.name] = field.defaultValue
            } else if field.type.isNonNull {
                _ = fail("Field \"\(field.name)\" of required type \"\(field.type)\" was not provided.", value)
            }
        }
        for (name, _) in given where type.fields[name] == nil {
            let suggestion = didYouMean(name, among: type.fields.map(\.name))
            _ = fail("Field \"\(name)\" is not defined by type \"\(type.name)\"." + suggestion, value)
        }
        if type.isOneOf { checkOneOf(values, type, value) }
        return .object(values)
    }

    private mutating func checkOneOf(_ values: ObjectValue, _ type: InputObjectType, _ value: Value) {
        guard values.count == 1, let (name, only) = values.first.map({ ($0.name, $0.value) }) else {
            if invalidValues.isEmpty || values.count != 1 {
                _ = fail("Exactly one key must be specified for OneOf type \"\(type.name)\".", value)
            }
            return
        }
        if only == .null {
            path.append(.key(name))
            _ = fail("Field \"\(name)\" must be non-null.", only)
            path.removeLast()
        }
    }
}
