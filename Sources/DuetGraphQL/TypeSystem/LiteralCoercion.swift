extension Schema {
    /// Returns the value of a literal, coerced to a type (specification, sections 3.5 to 3.12, "Input Coercion").
    /// - Parameters:
    ///   - literal: The literal.
    ///   - type: The input type.
    ///   - variables: The coerced variables of the request. A variable without a value counts as not provided.
    /// - Returns: The value, or nil if the literal is a variable without a value.
    /// - Throws: An error without a location.
    public func coerce(
        _ literal: Literal, to type: GraphQLType, variables: ObjectValue = [:]
    ) throws(GraphQLError) -> Value? {
        if literal.isTooDeep { throw GraphQLError(Literal.tooDeep) }
        return try coerce(literal, to: type, variables: variables) { $0.defaultValue }
    }

    /// - Parameter defaultValue: A function that returns the default value of an input field that is not provided.
    func coerce(
        _ literal: Literal, to type: GraphQLType, variables: ObjectValue, defaultValue: (SchemaInputValue) -> Value?
    ) throws(GraphQLError) -> Value? {
        if case .variable(let name) = literal.kind {
            let value = variables[name.value]
            if value == .null, type.isNonNull { throw Self.unexpected(literal, for: type) }
            return value
        }
        if case .null = literal.kind {
            if type.isNonNull { throw Self.unexpected(literal, for: type) }
            return .null
        }
        switch type.nullable {
        case .nonNull: return nil
        case .list(let itemType):
            return try coerce(literal, toListOf: itemType, variables: variables, defaultValue: defaultValue)
        case .named(let name):
            return try coerce(literal, toNamed: name, variables: variables, defaultValue: defaultValue)
        }
    }

    private func coerce(
        _ literal: Literal, toListOf itemType: GraphQLType, variables: ObjectValue,
        defaultValue: (SchemaInputValue) -> Value?
    ) throws(GraphQLError) -> Value? {
        guard case .list(let items) = literal.kind else {
            // A single item is coerced to a list of one item.
            return try coerce(literal, to: itemType, variables: variables, defaultValue: defaultValue)
                .map { .list([$0]) }
        }
        var values: [Value] = []
        values.reserveCapacity(items.count)
        for item in items {
            if let value = try coerce(item, to: itemType, variables: variables, defaultValue: defaultValue) {
                values.append(value)
            } else if itemType.isNonNull {
                throw Self.unexpected(item, for: itemType)
            } else {
                values.append(.null)
            }
        }
        return .list(values)
    }

    private func coerce(
        _ literal: Literal, toNamed name: TypeName, variables: ObjectValue,
        defaultValue: (SchemaInputValue) -> Value?
    ) throws(GraphQLError) -> Value {
        switch self[name] {
        case .scalar(let type): return try coerce(literal, toScalar: type, variables: variables)
        case .enum(let type): return try coerce(literal, toEnum: type)
        case .inputObject(let type):
            guard case .object(let fields) = literal.kind else { throw Self.unexpected(literal, for: .named(name)) }
            return try coerce(
                Self.byName(fields, of: type), to: type, variables: variables, defaultValue: defaultValue)
        default: throw GraphQLError("Type \"\(name)\" is not an input type.")
        }
    }

    private func coerce(
        _ literal: Literal, toScalar type: ScalarType, variables: ObjectValue
    ) throws(GraphQLError) -> Value {
        do {
            return try type.coercion.parseLiteral(literal, variables)
        } catch let error as GraphQLError {
            throw error
        } catch {
            throw GraphQLError(
                "Expected value of type \"\(type.name)\", found \(Printer.print(literal)); \(error)",
                underlyingError: error)
        }
    }

    private func coerce(_ literal: Literal, toEnum type: EnumType) throws(GraphQLError) -> Value {
        guard case .enum(let value) = literal.kind else {
            throw GraphQLError("Enum \"\(type.name)\" cannot represent non-enum value: \(Printer.print(literal)).")
        }
        guard type.values[value] != nil else {
            throw GraphQLError("Value \"\(value)\" does not exist in \"\(type.name)\" enum.")
        }
        return .enum(value)
    }

    private func coerce(
        _ given: [String: Literal], to type: InputObjectType, variables: ObjectValue,
        defaultValue: (SchemaInputValue) -> Value?
    ) throws(GraphQLError) -> Value {
        var values = ObjectValue()
        for field in type.fields {
            if let literal = given[field.name],
                let value = try coerce(literal, to: field.type, variables: variables, defaultValue: defaultValue)
            {
                values[field.name] = value
            } else if field.defaultLiteral != nil {
                values[field.name] = defaultValue(field)
            } else if field.type.isNonNull {
                throw Self.missing(field, of: type)
            }
        }
        if type.isOneOf { try Self.checkOneOf(values, given: given.count, type) }
        return .object(values)
    }

    private static func byName(
        _ fields: [LiteralField], of type: InputObjectType
    ) throws(GraphQLError) -> [String: Literal] {
        var given: [String: Literal] = [:]
        for field in fields {
            guard type.fields[field.name.value] != nil else {
                throw GraphQLError("Field \"\(field.name.value)\" is not defined by type \"\(type.name)\".")
            }
            given[field.name.value] = field.value
        }
        return given
    }

    private static func checkOneOf(
        _ values: ObjectValue, given: Int, _ type: InputObjectType
    ) throws(GraphQLError) {
        guard values.count == 1, given == 1 else {
            throw GraphQLError("OneOf Input Object \"\(type.name)\" must specify exactly one key.")
        }
        if values[0].value == .null {
            throw GraphQLError("Field \"\(type.name).\(values[0].name)\" must be non-null.")
        }
    }

    private static func missing(_ field: SchemaInputValue, of type: InputObjectType) -> GraphQLError {
        GraphQLError("Field \"\(type.name).\(field.name)\" of required type \"\(field.type)\" was not provided.")
    }

    private static func unexpected(_ literal: Literal, for type: GraphQLType) -> GraphQLError {
        GraphQLError("Expected value of type \"\(type)\", found \(Printer.print(literal)).")
    }
}
