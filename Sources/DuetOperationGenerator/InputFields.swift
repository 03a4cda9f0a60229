import DuetGraphQL

/// The properties of a structure for the variables of an operation or for the fields of an input object.
struct InputFields {
    /// A variable or an input field.
    struct Field {
        let name: String
        let property: String
        let swiftType: String
        /// True if a value is required.
        let isRequired: Bool
        /// True if `null` is a valid value.
        let isNullable: Bool
        /// True if the value can contain a value of the structure that has this property, directly or indirectly,
        /// without a list between them.
        let isIndirect: Bool
        let description: String?
        let deprecationReason: String?
    }

    /// The names of the members that the structure of an operation has in addition to these properties.
    static let operationMembers: Set<String> = ["variables", "nulls"]
    static let inputObjectMembers: Set<String> = ["inputValue", "nulls"]

    let fields: [Field]

    /// Creates the properties for the variables of an operation.
    init(_ definitions: [VariableDefinition], _ types: SwiftTypes) {
        fields = definitions.map { definition in
            let type = GraphQLType(definition.type)
            return Field(
                definition.variable.name.value, type, hasDefault: definition.defaultValue != nil, isIndirect: false,
                description: definition.description?.value, deprecationReason: nil, taken: Self.operationMembers, types)
        }
    }

    /// Creates the properties for the fields of an input object.
    init(_ object: InputObjectType, _ types: SwiftTypes) {
        fields = object.fields.map { field in
            Field(
                field.name, field.type, hasDefault: field.defaultLiteral != nil,
                isIndirect: types.schema.contains(object.name, in: field.type),
                description: field.description, deprecationReason: field.deprecationReason,
                taken: Self.inputObjectMembers, types)
        }
    }

    var nullable: [Field] { fields.filter(\.isNullable) }
}

extension InputFields.Field {
    fileprivate init(
        _ name: String, _ type: GraphQLType, hasDefault: Bool, isIndirect: Bool, description: String?,
        deprecationReason: String?, taken: Set<String>, _ types: SwiftTypes
    ) {
        self.name = name
        property = SwiftName.property(name, taken: taken)
        isRequired = type.isNonNull && !hasDefault
        isNullable = !type.isNonNull
        let unwrapped = SwiftTypes.unwrapped(type, types.named(type.typeName.name))
        swiftType = isRequired ? unwrapped : unwrapped + "?"
        self.isIndirect = isIndirect
        self.description = description
        self.deprecationReason = deprecationReason
    }
}

extension Schema {
    /// Returns true if a value of the type can contain a value of the named input object, without a list between them.
    fileprivate func contains(_ name: String, in type: GraphQLType) -> Bool {
        var seen: Set<String> = []
        var open = [type]
        while let type = open.popLast() {
            guard case .named(let typeName) = type.nullable else { continue }
            if typeName.name == name { return true }
            guard seen.insert(typeName.name).inserted, case .inputObject(let object)? = self[type] else { continue }
            open += object.fields.map(\.type)
        }
        return false
    }
}

extension CodeWriter {
    /// Writes the properties, the initializer, and the member that returns all values as JSON.
    /// - Parameters:
    ///   - member: The declaration of the member that returns the values.
    ///   - result: The expression for the value of this member. It can use the variable `object`.
    mutating func write(_ input: InputFields, nullsOf kind: String, member: String, result: String) {
        for field in input.fields {
            documentation(
                field.description, else: "The \(kind) `\(field.name)`.", deprecated: field.deprecationReason)
            if field.isIndirect { line("@Indirect") }
            declaration("var \(SwiftName.escaped(field.property)): \(field.swiftType)")
        }
        let nullable = input.nullable
        if !nullable.isEmpty {
            documentation(
                nil,
                else: "Each \(kind) that is sent as `null`. Any other value that is `nil` is omitted."
            )
            declaration("var nulls: Set<Nullable>")
            line()
            documentation(nil, else: "Each \(kind) that can be `null`.")
            declarationBlock("enum Nullable: String, Sendable, Hashable, CaseIterable") { writer in
                for field in nullable {
                    let name = SwiftName.escaped(field.property)
                    writer.line(
                        field.property == field.name
                            ? "case \(name)" : "case \(name) = \(SwiftLiteral.string(field.name))")
                }
            }
        }
        line()
        writeInitializer(input)
        line()
        documentation(nil, else: "The values in a request.")
        declarationBlock(member) { writer in
            writer.line("var object = JSONObject()")
            for field in input.fields {
                let nulls = field.isNullable ? ", orNull: nulls.contains(.\(SwiftName.escaped(field.property)))" : ""
                let value = SwiftName.escaped(field.property, in: "object")
                writer.line("object.add(\(SwiftLiteral.string(field.name)), \(value)\(nulls))")
            }
            writer.line("return \(result)")
        }
    }

    private mutating func writeInitializer(_ input: InputFields) {
        documentation(nil, else: "Creates the values.")
        var parameters = input.fields.map { field in
            "\(SwiftName.escaped(field.property)): \(field.swiftType)\(field.isRequired ? "" : " = nil")"
        }
        if !input.nullable.isEmpty { parameters.append("nulls: Set<Nullable> = []") }
        declaredCall("init(", parameters, ") {")
        indented { writer in
            for field in input.fields {
                let name = SwiftName.escaped(field.property)
                writer.line("self.\(name) = \(name)")
            }
            if !input.nullable.isEmpty { writer.line("self.nulls = nulls") }
        }
        line("}")
    }
}
