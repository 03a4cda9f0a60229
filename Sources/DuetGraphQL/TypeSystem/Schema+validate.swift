extension Schema {
    /// Returns all errors of this schema according to the "Type Validation" parts of section 3 of the specification.
    /// The result is empty if the schema is valid.
    public func validate() -> [GraphQLError] {
        var validation = SchemaValidation(schema: self)
        validation.validateRootTypes()
        validation.validateDirectives()
        validation.validateTypes()
        validation.validateDirectiveCycles()
        return validation.errors
    }
}

/// Collects the validation errors of a schema.
struct SchemaValidation {
    let schema: Schema
    private(set) var errors: [GraphQLError] = []
    private var inputObjectCycles = InputObjectCycles()
    private var defaultValueCycles = DefaultValueCycles()

    init(schema: Schema) { self.schema = schema }

    mutating func report(_ message: String, at locations: [SourceLocation?] = []) {
        errors.append(GraphQLError(message, locations: locations.compactMap { $0 }))
    }
}

// MARK: - Root types and directives

extension SchemaValidation {
    mutating func validateRootTypes() {
        if schema.rootTypes[.query] == nil {
            report("Query root type must be provided.", at: [schema.definitions.first?.location(\.range)])
        }
        for operation in OperationType.allCases {
            guard let name = schema.rootTypes[operation] else { continue }
            if case .object? = schema[name] { continue }
            let title = operation.rawValue.prefix(1).uppercased() + operation.rawValue.dropFirst()
            report(
                "\(title) root type must be Object type\(operation == .query ? "" : " if provided"), "
                    + "it cannot be \(name).",
                at: [rootTypeLocation(operation) ?? schema[name]?.definitions.first?.location(\.range)])
        }
        validateDistinctRootTypes()
    }

    private mutating func validateDistinctRootTypes() {
        var seen: [TypeName] = []
        for operation in OperationType.allCases {
            guard let name = schema.rootTypes[operation], case .object? = schema[name], !seen.contains(name) else {
                continue
            }
            seen.append(name)
            let operations = OperationType.allCases.filter { schema.rootTypes[$0] == name }
            guard operations.count > 1 else { continue }
            let words = operations.map(\.rawValue)
            let list =
                words.count == 2
                ? words.joined(separator: " and ")
                : words.dropLast().joined(separator: ", ") + ", and " + words[words.count - 1]
            report(
                "All root types must be different, \"\(name)\" type is used as \(list) root types.",
                at: operations.map(rootTypeLocation))
        }
    }

    private func rootTypeLocation(_ operation: OperationType) -> SourceLocation? {
        for definition in schema.definitions {
            for type in definition.node.operationTypes where type.operation == operation {
                return definition.source.location(of: type.type.range)
            }
        }
        return nil
    }

    mutating func validateDirectives() {
        for directive in schema.directives {
            validateName(directive.name, at: directive.definition?.location(\.range))
            if directive.locations.isEmpty {
                report(
                    "Directive @\(directive.name) must include 1 or more locations.",
                    at: [directive.definition?.location(\.range)])
            }
            validateArguments(directive.arguments, of: "@\(directive.name)", isDirective: true)
        }
    }

    mutating func validateName(_ name: String, at location: SourceLocation?) {
        guard name.hasPrefix("__") else { return }
        report(
            "Name \"\(name)\" must not begin with \"__\", which is reserved by GraphQL introspection.", at: [location])
    }

    mutating func validateArguments(
        _ arguments: NamedList<SchemaInputValue>, of owner: String, isDirective: Bool = false
    ) {
        for argument in arguments {
            validateName(argument.name, at: argument.definition?.location(\.range))
            let coordinate = "\(owner)(\(argument.name):)"
            if !schema.isInput(argument.type) {
                report(
                    "The type of \(coordinate) must be Input Type but got: \(argument.type).",
                    at: [argument.definition?.location { isDirective ? $0.range : $0.type.range }])
            } else {
                validateDefaultValue(of: argument, coordinate)
            }
            validateDeprecation(of: argument, "argument \(coordinate)")
        }
    }

    mutating func validateDeprecation(of value: SchemaInputValue, _ description: String) {
        guard value.isRequired, value.deprecationReason != nil else { return }
        report(
            "Required \(description) cannot be deprecated.",
            at: [
                value.definition?.location(of: "deprecated", in: \.directives),
                value.definition?.location(\.type.range),
            ])
    }

    /// Checks that a default value is compatible with its type. The specification requires this for the arguments of
    /// fields (section 3.6). The engine also requires it for input fields and the arguments of directives.
    mutating func validateDefaultValue(of value: SchemaInputValue, _ coordinate: String) {
        guard let literal = value.defaultLiteral else { return }
        do throws(GraphQLError) {
            _ = try schema.coerce(literal, to: value.type)
        } catch {
            report(
                "\(coordinate) has invalid default value: \(error.message)",
                at: [value.definition?.location { $0.defaultValue?.range ?? $0.range }])
        }
    }
}

// MARK: - Types

extension SchemaValidation {
    mutating func validateTypes() {
        for type in schema.types where IntrospectionTypes.all[type.name] == nil {
            validateName(type.name, at: type.definitions.first?.location(\.range))
            switch type {
            case .scalar: break
            case .object, .interface:
                validateFields(of: type)
                validateInterfaces(of: type)
            case .union(let union): validateMembers(of: union)
            case .enum(let type):
                if type.values.isEmpty {
                    report(
                        "Enum type \(type.name) must define one or more values.",
                        at: type.definitions.map { $0.location(\.range) })
                }
                for value in type.values { validateName(value.name, at: value.definition?.location(\.range)) }
            case .inputObject(let input):
                validateFields(of: input)
                errors += inputObjectCycles.errors(from: input, in: schema)
                errors += defaultValueCycles.errors(from: input, in: schema)
            }
        }
    }

    private mutating func validateFields(of type: NamedType) {
        let fields = type.fields ?? []
        if fields.isEmpty {
            report(
                "Type \(type.name) must define one or more fields.",
                at: type.definitions.map { $0.location(\.range) })
        }
        for field in fields {
            validateName(field.name, at: field.definition?.location(\.range))
            if !schema.isOutput(field.type) {
                report(
                    "The type of \(type.name).\(field.name) must be Output Type but got: \(field.type).",
                    at: [field.definition?.location(\.type.range)])
            }
            validateArguments(field.arguments, of: "\(type.name).\(field.name)")
        }
    }

    private mutating func validateFields(of input: InputObjectType) {
        if input.fields.isEmpty {
            report(
                "Input Object type \(input.name) must define one or more fields.",
                at: input.definitions.map { $0.location(\.range) })
        }
        for field in input.fields {
            let coordinate = "\(input.name).\(field.name)"
            validateName(field.name, at: field.definition?.location(\.range))
            if !schema.isInput(field.type) {
                report(
                    "The type of \(coordinate) must be Input Type but got: \(field.type).",
                    at: [field.definition?.location(\.type.range)])
            } else {
                validateDefaultValue(of: field, coordinate)
            }
            validateDeprecation(of: field, "input field \(coordinate)")
            guard input.isOneOf else { continue }
            if field.type.isNonNull {
                report(
                    "OneOf input field \(coordinate) must be nullable.", at: [field.definition?.location(\.type.range)])
            }
            if field.defaultLiteral != nil {
                report(
                    "OneOf input field \(coordinate) cannot have a default value.",
                    at: [field.definition?.location(\.range)])
            }
        }
    }

    private mutating func validateMembers(of union: UnionType) {
        if union.memberTypes.isEmpty {
            report(
                "Union type \(union.name) must define one or more member types.",
                at: union.definitions.map { $0.location(\.range) })
        }
        var seen: Set<TypeName> = []
        for member in union.memberTypes {
            var locations: [SourceLocation] { union.definitions.locations(of: member.name, in: \.memberTypes) }
            guard seen.insert(member).inserted else {
                report("Union type \(union.name) can only include type \(member) once.", at: locations)
                continue
            }
            if case .object? = schema[member] { continue }
            report(
                "Union type \(union.name) can only include Object types, it cannot include \(member).", at: locations)
        }
    }
}

extension [SourceNode<TypeDefinition>] {
    /// Returns the locations of a name among the interfaces or member types of the definitions.
    func locations(of name: String, in names: (TypeDefinition) -> [Name]) -> [SourceLocation] {
        flatMap { definition in
            names(definition.node).filter { $0.value == name }.map { definition.source.location(of: $0.range) }
        }
    }
}
