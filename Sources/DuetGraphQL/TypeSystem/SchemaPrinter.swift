/// The format of a printed schema.
public enum SDLFormat: Sendable {
    /// The format of graphql-js, so that the result can be compared with the output of graphql-js. Descriptions are
    /// block strings. The result does not contain cache hints, weights and lengths of lists.
    case graphQLJS
    /// A format with one line for each description and each described argument. The result contains the cache hints,
    /// the weights and the lengths of lists as the directives `@cacheControl`, `@cost` and `@listSize`. The schema
    /// should contain the definitions of these directives: ``CacheControl/directive``, ``CacheControl/scopeType`` and
    /// ``CostModel/directives``. Custom scalars and the directives of operations precede the other types. The
    /// directives of schemas follow the types.
    case annotated
}

extension Schema {
    /// Returns the schema in the schema definition language, without the built-in scalars and directives and without
    /// introspection.
    public func print(_ format: SDLFormat = .graphQLJS) -> String {
        SchemaPrinter(schema: self, format: format).print()
    }
}

/// Prints a schema, or definitions that are not part of a schema yet.
struct SchemaPrinter {
    let schema: Schema
    let format: SDLFormat

    func print() -> String {
        let types = schema.types.filter {
            ScalarType.specified[$0.name] == nil && IntrospectionTypes.all[$0.name] == nil
        }
        let directives = schema.directives.filter { SchemaDirective.specified[$0.name] == nil }
        let definitions = print(types, directives)
        guard let definition = schemaDefinition() else { return definitions }
        return definitions.isEmpty ? definition : definition + "\n\n" + definitions
    }

    /// Returns the definitions of types and directives.
    func print(_ types: [NamedType], _ directives: [SchemaDirective]) -> String {
        var pieces: [String] = []
        switch format {
        case .graphQLJS:
            pieces += directives.map { print($0) }
            pieces += types.map { print($0) }
        case .annotated:
            pieces += types.filter(\.isScalar).map { print($0) }
            pieces += directives.filter(\.isExecutable).map { print($0) }
            pieces += types.filter { !$0.isScalar }.map { print($0) }
            pieces += directives.filter { !$0.isExecutable }.map { print($0) }
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
        let hints = hints(type.cacheHint, type.weight, nil)
        switch type {
        case .scalar(let type):
            return head + (type.specifiedByURL.map { " @specifiedBy(url: \(StringPrinter.literal($0)))" } ?? "")
                + hints
        case .object(let type): return head + interfaces + hints + fields(type.fields)
        case .interface(let type): return head + interfaces + hints + fields(type.fields)
        case .union(let type):
            return head + hints + (type.memberTypes.isEmpty ? "" : " = ")
                + type.memberTypes.map(\.name).joined(separator: " | ")
        case .enum(let type):
            return head + hints
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
                    + deprecated(field.deprecationReason) + hints(field.cacheHint, field.weight, field.listSize)
            })
    }

    private func block(_ items: [String]) -> String {
        items.isEmpty ? "" : " {\n" + items.joined(separator: "\n") + "\n}"
    }

    private func arguments(_ arguments: NamedList<SchemaInputValue>, indentation: String = "") -> String {
        if arguments.isEmpty { return "" }
        if !arguments.contains(where: hasVisibleDescription) {
            return "(" + arguments.map(inputValue).joined(separator: ", ") + ")"
        }
        let lines = arguments.enumerated().map { index, argument in
            description(argument.description, indentation: "  " + indentation, isFirst: index == 0)
                + "  \(indentation)\(inputValue(argument))"
        }
        return "(\n" + lines.joined(separator: "\n") + "\n\(indentation))"
    }

    /// Returns true if the description of an argument requires a line of its own. graphql-js ignores an empty
    /// description of an argument if no other argument has a description.
    private func hasVisibleDescription(_ argument: SchemaInputValue) -> Bool {
        switch format {
        case .graphQLJS: argument.description?.isEmpty == false
        case .annotated: argument.description != nil
        }
    }

    private func inputValue(_ value: SchemaInputValue) -> String {
        "\(value.name): \(value.type)" + (schema.literal(ofDefault: value).map { " = \(Printer.print($0))" } ?? "")
            + deprecated(value.deprecationReason) + hints(nil, value.weight, nil)
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

    /// Returns the directives for a cache hint, a weight and the length of a list.
    private func hints(_ cacheHint: CacheHint?, _ weight: Double?, _ listSize: CostModel.ListSize?) -> String {
        guard format == .annotated else { return "" }
        var text = ""
        if let cacheHint { text += " " + cacheHint.directive }
        if let weight { text += " " + CostModel.directive(weight: weight) }
        if let listSize { text += " " + listSize.directive }
        return text
    }

    private func description(_ description: String?, indentation: String = "", isFirst: Bool = true) -> String {
        guard let description else { return "" }
        if format == .annotated { return indentation + StringPrinter.literal(description) + "\n" }
        let literal =
            BlockString.canPrint(description) ? BlockString.literal(description) : StringPrinter.literal(description)
        return (indentation.isEmpty || isFirst ? "" : "\n") + indentation
            + literal.replacing("\n", with: "\n" + indentation) + "\n"
    }
}

extension NamedType {
    fileprivate var isScalar: Bool { if case .scalar = self { true } else { false } }
}

extension SchemaDirective {
    /// True if the directive may occur in an operation.
    fileprivate var isExecutable: Bool { locations.contains(where: \.isExecutable) }
}

extension DirectiveLocation {
    /// True for ExecutableDirectiveLocation (specification, section 3.13).
    fileprivate var isExecutable: Bool {
        switch self {
        case .query, .mutation, .subscription, .field, .fragmentDefinition, .fragmentSpread, .inlineFragment,
            .variableDefinition:
            true
        case .schema, .scalar, .object, .fieldDefinition, .argumentDefinition, .interface, .union, .enum, .enumValue,
            .inputObject, .inputFieldDefinition:
            false
        }
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
