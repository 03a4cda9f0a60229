import DuetGraphQL

/// Writes a protocol for a type of the schema, and an extension of the protocol with a static member for each field of
/// the type. A hand-written model that conforms to the protocol can read fields with these static members.
extension CodeWriter {
    mutating func writeFieldList(_ type: NamedType) {
        documentation(nil, else: "A model of `\(type.name)`.")
        declaration("protocol \(type.fieldListName): DataDecodable {}")
    }

    /// Writes the extension of a type's protocol, at the top level of the file.
    mutating func writeFields(_ type: NamedType, in namespace: String?, _ types: SwiftTypes) {
        block("extension \(namespace.map { $0 + "." } ?? "")\(type.fieldListName)") { writer in
            if !type.isAbstract {
                writer.documentation(nil, else: "The GraphQL type of the object.")
                writer.declaration("static var typeName: String? { \(SwiftLiteral.string(type.name)) }")
            }
            for field in type.fields ?? [] {
                writer.documentation(
                    field.description, else: "The field `\(field.name)`.", deprecated: field.deprecationReason)
                writer.writeField(field, in: namespace, types)
            }
        }
    }

    private mutating func writeField(_ field: SchemaField, in namespace: String?, _ types: SwiftTypes) {
        let isObject = types.schema[field.type]?.isComposite == true
        var base = isObject ? "Model" : types.named(field.type.typeName.name)
        if let namespace, case .enum(let type)? = types.schema[field.type], types.scalars[type.name] == nil {
            // In an extension of a protocol that a namespace contains, names of the namespace must be qualified.
            base = "\(namespace).\(base)"
        }
        let value = SwiftTypes.wrapped(field.type, base)
        let property = SwiftName.property(field.name, taken: Self.modelMembers)
        let read = "TypedField(\(SwiftLiteral.string(field.name))"
        guard isObject || !field.arguments.isEmpty else {
            declaration("static var \(SwiftName.escaped(property)): TypedField<\(value)> { \(read)) }")
            return
        }
        var parameters = isObject ? ["_ model: Model.Type = Model.self"] : []
        var arguments: [String] = []
        for argument in field.arguments {
            let name = argument.name == "model" && isObject ? "modelValue" : argument.name
            parameters.append(
                "\(SwiftName.escaped(name)): ArgumentValue\(argument.isRequired ? "" : "? = nil")")
            arguments.append("(\(SwiftLiteral.string(argument.name)), \(SwiftName.escaped(name)))")
        }
        declaredCall(
            "static func \(SwiftName.escaped(property))\(isObject ? "<Model: DataDecodable>" : "")(", parameters,
            ") -> TypedField<\(value)> {")
        indented { writer in
            writer.call(
                "\(read)\(arguments.isEmpty ? "" : ", arguments: [")", arguments, arguments.isEmpty ? ")" : "])")
        }
        line("}")
    }

    /// The names of the static members of `DataDecodable`.
    private static let modelMembers: Set<String> = ["absent", "decode", "map", "model", "shape", "typeName"]
}

extension NamedType {
    /// The name of the protocol for models of the type.
    var fieldListName: String { SwiftName.type(name) + "Fields" }
}
