extension CostModel {
    /// The definitions of `@cost` and `@listSize`. Append them to a text in the schema definition language that uses
    /// the directives.
    public static let directiveDefinitions = """
        "The cost of each call of a field, each provided argument, or each value of a type."
        directive @cost(
          "The cost, as a number."
          weight: String!
        ) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR

        "The maximum length of a list, by which the cost of its items is multiplied."
        directive @listSize(
          "The length if no slicing argument has a value."
          assumedSize: Int
          "The arguments that specify the length. If several arguments have values, the largest value is used."
          slicingArguments: [String!]
          "The list fields of the field's type that have this length. If the list is empty, the length applies to the field itself."
          sizedFields: [String!]
          "If true, exactly one slicing argument must have a value."
          requireOneSlicingArgument: Boolean = true
        ) on FIELD_DEFINITION

        """

    /// Creates the model from the `@cost` and `@listSize` directives of a schema.
    /// - Throws: All errors in the arguments of the directives.
    public init(_ schema: Schema, assumedListSize: Int = 10) throws(GraphQLErrors) {
        self.init(assumedListSize: assumedListSize)
        var errors: [GraphQLError] = []
        for type in schema.types {
            for definition in type.definitions {
                let weight = Self.weight(in: definition.node.directives, definition.source, &errors)
                if let weight { typeWeights[type.name] = weight }
            }
            for field in type.fields ?? [] {
                if let cost = Self.cost(of: field, in: schema, &errors) { self[type.name, field.name] = cost }
            }
        }
        if !errors.isEmpty { throw GraphQLErrors(errors) }
    }

    private static func cost(of field: SchemaField, in schema: Schema, _ errors: inout [GraphQLError]) -> FieldCost? {
        guard let definition = field.definition else { return nil }
        var cost = FieldCost()
        let weight = weight(in: definition.node.directives, definition.source, &errors)
        if let weight { cost.weight = weight }
        for argument in field.arguments {
            guard let node = argument.definition else { continue }
            if let weight = Self.weight(in: node.node.directives, node.source, &errors) {
                cost.argumentWeights[argument.name] = weight
            }
        }
        if let directive = definition.node.directives.first(where: { $0.name.value == "listSize" }) {
            let size = ListSize(directive)
            cost.listSize = size
            let location = definition.source.location(of: directive.range)
            errors += size.problems(on: field, in: schema).map { GraphQLError($0, locations: [location]) }
        }
        return cost == FieldCost() ? nil : cost
    }

    /// Reads `@cost(weight:)`. The draft specifies a string; some schemas have a number.
    private static func weight(
        in directives: NodeList<Directive>, _ source: Source, _ errors: inout [GraphQLError]
    ) -> Double? {
        guard let directive = directives.first(where: { $0.name.value == "cost" }), let value = directive["weight"]
        else { return nil }
        switch value.kind {
        case .string(let text, _), .int(let text), .float(let text):
            if let weight = Double(text), weight.isFinite { return weight }
        default: break
        }
        errors.append(
            GraphQLError(
                "The weight of @cost must be a number, as in \"1.5\"; it is \(Printer.print(value)).",
                locations: [source.location(of: value.range)]))
        return nil
    }
}

extension CostModel.ListSize {
    fileprivate init(_ directive: Directive) {
        self.init()
        if case .int(let digits)? = directive["assumedSize"]?.kind { assumedSize = Int(digits) ?? .max }
        slicingArguments = Self.names(directive["slicingArguments"])
        sizedFields = Self.names(directive["sizedFields"])
        if case .boolean(let value)? = directive["requireOneSlicingArgument"]?.kind {
            requiresOneSlicingArgument = value
        }
    }

    private static func names(_ literal: Literal?) -> [String] {
        switch literal?.kind {
        case .string(let name, _): [name]
        case .list(let items): items.flatMap(names)
        default: []
        }
    }

    /// Returns a message for each violation of section 9.2 of the cost directives draft.
    fileprivate func problems(on field: SchemaField, in schema: Schema) -> [String] {
        var problems: [String] = []
        if let assumedSize, assumedSize < 0 { problems.append("The assumedSize of @listSize must not be negative.") }
        for name in slicingArguments {
            guard let argument = field.arguments[name] else {
                problems.append(
                    "@listSize names the slicing argument \"\(name)\", but \"\(field.name)\" has no such argument.")
                continue
            }
            if argument.type.nullable != "Int" {
                problems.append("@listSize names the slicing argument \"\(name)\", but its type is not Int.")
            }
        }
        if sizedFields.isEmpty, !field.type.isList {
            problems.append(
                "@listSize is applied to \"\(field.name)\", which is not a list. "
                    + "Name the lists of its type in sizedFields.")
        }
        for name in sizedFields {
            let sized = schema[field.type]?.fields?[name]
            if sized?.type.isList != true {
                problems.append(
                    "@listSize names the sized field \"\(name)\", which is not a list field of \"\(field.type)\".")
            }
        }
        return problems
    }
}

extension GraphQLType {
    fileprivate var isList: Bool {
        if case .list = nullable { return true }
        return false
    }
}

extension Directive {
    fileprivate subscript(name: String) -> Literal? { arguments.first { $0.name.value == name }?.value }
}
