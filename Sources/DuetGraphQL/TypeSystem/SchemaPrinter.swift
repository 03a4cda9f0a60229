extension Schema {
    /// Returns the schema in the schema definition language, without the built-in scalars and directives and without
    /// introspection.
    public func print() -> String {
        SchemaPrinter(schema: self).print()
    }
}

/// Prints a schema in the format of graphql-js, so that the result can be compared with the output of graphql-js.
struct SchemaPrinter {
    let schema: Schema

    func print() -> String {
        var pieces: [String] = []
        if let definition = schemaDefinition() { pieces.append(definition) }
        for directive in schema.directives where SchemaDirective.specified[directive.name] == nil {
            pieces.append(print(directive))
        }
        for type in schema.types
        where ScalarType.specified[type.name] == nil && IntrospectionTypes.all[type.name] == nil {
            pieces.append(print(type))
        }
        return pieces.joined(separator: "\n\n")
    }

    /// Returns the schema definition, or nil if it only repeats the default names of the root types.
    private func schemaDefinition() -> String? {
        let names = [OperationType.query: "Query", .mutation: "Mutation", .subscription: "Subscription"]
        let isCommon = schema.rootTypes.allSatisfy { names[$0.key] == $0.value.name }
        // A type may have the default name of a root type without being a root type. If the schema definition were
        // omitted, a parser would treat this type as a root type.
        let isMisleading = names.contains { schema.rootTypes[$0.key] == nil && schema.type(named: $0.value) != nil }
        guard schema.description != nil || !isCommon || isMisleading && !schema.rootTypes.isEmpty else { return nil }
        let operations = OperationType.allCases.compactMap { operation in
            schema.rootTypes[operation].map { "  \(operation.rawValue): \($0.name)\n" }
        }
        return description(schema.description) + "schema {\n\(operations.joined())}"
    }

    func print(_ type: NamedType) -> String {
        let head = description(type.description) + "\(type.kind.keyword) \(type.name)"
        let interfaces =
            type.interfaces.isEmpty ? "" : " implements " + type.interfaces.map(\.name).joined(separator: " & ")
        switch type {
        case .scalar(let type):
            return head + (type.specifiedByURL.map { " @specifiedBy(url: \(StringPrinter.literal($0)))" } ?? "")
        case .object(let type): return head + interfaces + fields(type.fields)
        case .interface(let type): return head + interfaces + fields(type.fields)
        case .union(let type):
            return head + (type.memberTypes.isEmpty ? "" : " = ")
                + type.memberTypes.map(\.name).joined(separator: " | ")
        case .enum(let type):
            return head
                + block(
                    type.values.enumerated().map { index, value in
                        description(value.description, indentation: "  ", isFirst: index == 0) + "  \(value.name)"
                            + deprecated(value.deprecationReason)
                    })
        case .inputObject(let type):
            return head + (type.isOneOf ? " @oneOf" : "")
                + block(
                    type.fields.enumerated().map { index, field in
                        description(field.description, indentation: "  ", isFirst: index == 0) + "  "
                            + inputValue(field)
                    })
        }
    }

    private func fields(_ fields: NamedList<SchemaField>) -> String {
        block(
            fields.enumerated().map { index, field in
                description(field.description, indentation: "  ", isFirst: index == 0) + "  \(field.name)"
                    + arguments(field.arguments, indentation: "  ") + ": \(field.type)"
                    + deprecated(field.deprecationReason)
            })
    }

    private func block(_ items: [String]) -> String {
        items.isEmpty ? "" : " {\n" + items.joined(separator: "\n") + "\n}"
    }

    private func arguments(_ arguments: NamedList<SchemaInputValue>, indentation: String = "") -> String {
        if arguments.isEmpty { return "" }
        if arguments.allSatisfy({ ($0.description ?? "").isEmpty }) {
            return "(" + arguments.map(inputValue).joined(separator: ", ") + ")"
        }
        let lines = arguments.enumerated().map { index, argument in
            description(argument.description, indentation: "  " + indentation, isFirst: index == 0)
                + "  \(indentation)\(inputValue(argument))"
        }
        return "(\n" + lines.joined(separator: "\n") + "\n\(indentation))"
    }

    private func inputValue(_ value: SchemaInputValue) -> String {
        "\(value.name): \(value.type)" + (schema.literal(ofDefault: value).map { " = \(Printer.print($0))" } ?? "")
            + deprecated(value.deprecationReason)
    }

    private func print(_ directive: SchemaDirective) -> String {
        description(directive.description) + "directive @\(directive.name)" + arguments(directive.arguments)
            + (directive.isRepeatable ? " repeatable" : "") + " on "
            + directive.locations.map(\.rawValue).joined(separator: " | ")
    }

    private func deprecated(_ reason: String?) -> String {
        guard let reason else { return "" }
        return reason == SchemaDirective.defaultDeprecationReason
            ? " @deprecated" : " @deprecated(reason: \(StringPrinter.literal(reason)))"
    }

    private func description(_ description: String?, indentation: String = "", isFirst: Bool = true) -> String {
        guard let description else { return "" }
        let literal =
            BlockString.canPrint(description) ? BlockString.literal(description) : StringPrinter.literal(description)
        return (indentation.isEmpty || isFirst ? "" : "\n") + indentation
            + literal.replacing("\n", with: "\n" + indentation) + "\n"
    }
}

extension Schema {
    /// Returns the default value of an argument or input field as the literal that introspection and the printed schema
    /// show.
    public func literal(ofDefault value: SchemaInputValue) -> Literal? {
        value.defaultValue.flatMap { literal(of: $0, type: value.type) } ?? value.defaultLiteral
    }

    private func literal(of value: Value, type: GraphQLType) -> Literal? {
        switch (type, value) {
        case (.nonNull(let inner), _): return value == .null ? nil : literal(of: value, type: inner)
        case (_, .null): return Literal(.null)
        case (.list(let itemType), .list(let items)):
            return Literal(.list(items.compactMap { literal(of: $0, type: itemType) }))
        case (.list(let itemType), _): return literal(of: value, type: itemType)
        case (.named(let name), _):
            switch (self[name], value) {
            case (.inputObject(let type), .object(let fields)):
                return Literal(
                    .object(
                        type.fields.compactMap { field in
                            guard let value = fields[field.name], let literal = literal(of: value, type: field.type)
                            else { return nil }
                            return LiteralField(name: Name(field.name), value: literal)
                        }))
            case (.scalar(let type), _):
                guard let serialized = try? type.coercion.serialize(value), serialized != .null else { return nil }
                if type.name == "ID", case .string(let text) = serialized, Self.isInteger(text) {
                    return Literal(.int(text))
                }
                return Literal(of: serialized)
            case (.enum, .enum), (.enum, .string):
                if case .string(let name) = value { return Literal(.enum(name)) }
                return Literal(of: value)
            default: return nil
            }
        }
    }

    private static func isInteger(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard digits.allSatisfy(Lexer.isDigit), let first = digits.first else { return false }
        return first != UInt8(ascii: "0") || digits.count == 1
    }
}
