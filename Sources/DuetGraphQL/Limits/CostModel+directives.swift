extension CostModel {
    /// `@cost` and `@listSize`, for a schema whose printed text contains the weights and the lengths of lists.
    public static let directives = [
        SchemaDirective(
            "cost",
            on: [.argumentDefinition, .enum, .fieldDefinition, .inputFieldDefinition, .object, .scalar],
            arguments: [SchemaInputValue("weight", "String!", description: "The cost, as a number.")],
            description:
                "The cost of each call of a field, each provided argument or input field, or each value of a type."),
        SchemaDirective(
            "listSize", on: [.fieldDefinition],
            arguments: [
                SchemaInputValue(
                    "assumedSize", "Int", description: "The length if no slicing argument has a value."),
                SchemaInputValue(
                    "slicingArguments", "[String!]",
                    description:
                        "The arguments that specify the length. If several arguments have values, the largest value is used."
                ),
                SchemaInputValue(
                    "sizedFields", "[String!]",
                    description:
                        "The list fields of the field's type that have this length. If the list is empty, the length applies to the field itself."
                ),
                SchemaInputValue(
                    "requireOneSlicingArgument", "Boolean", default: .bool(true),
                    description: "If true, exactly one slicing argument must have a value."),
            ], description: "The maximum length of a list, by which the cost of its items is multiplied."),
    ]

    /// The definitions of `@cost` and `@listSize`. Append them to a text in the schema definition language that uses
    /// the directives.
    public static let directiveDefinitions =
        SchemaPrinter(schema: .empty, format: .annotated).print([], directives) + "\n"

    /// Creates the model from the weights and the lengths of lists of a schema. In a text in the schema definition
    /// language, they are the directives `@cost` and `@listSize`.
    /// - Throws: All errors in the values.
    public init(_ schema: Schema, assumedListSize: Int = 10) throws(GraphQLErrors) {
        self.init(assumedListSize: assumedListSize)
        var errors: [GraphQLError] = []
        for type in schema.types {
            if let weight = Self.checked(
                type.weight, type.definitions.argument("weight", of: "cost"), &errors)
            {
                typeWeights[type.name] = weight
            }
            for field in type.fields ?? [] {
                if let cost = Self.cost(of: field, in: schema, &errors) { self[type.name, field.name] = cost }
            }
        }
        inputs = InputWeights(schema) { field in
            Self.checked(field.weight, field.definition?.argument("weight", of: "cost", in: \.directives), &errors)
        }
        if !errors.isEmpty { throw GraphQLErrors(errors) }
    }

    private static func cost(of field: SchemaField, in schema: Schema, _ errors: inout [GraphQLError]) -> FieldCost? {
        var cost = FieldCost()
        let weight = checked(
            field.weight, field.definition?.argument("weight", of: "cost", in: \.directives), &errors)
        if let weight { cost.weight = weight }
        for argument in field.arguments {
            let weight = checked(
                argument.weight, argument.definition?.argument("weight", of: "cost", in: \.directives), &errors)
            if let weight { cost.argumentWeights[argument.name] = weight }
        }
        if let size = field.listSize {
            cost.listSize = size
            errors += size.problems(on: field, in: schema).map { problem in
                GraphQLError(
                    problem,
                    locations: [field.definition?.location(of: "listSize", in: \.directives)].compactMap(\.self))
            }
        }
        return cost == FieldCost() ? nil : cost
    }

    /// Returns a weight if it is a number. Otherwise, adds an error.
    /// - Parameter argument: The argument of `@cost` from which the weight was read; nil if there is none.
    private static func checked(
        _ weight: Double?, _ argument: @autoclosure () -> DirectiveArgument?, _ errors: inout [GraphQLError]
    ) -> Double? {
        guard let weight, !weight.isFinite else { return weight }
        let argument = argument()
        errors.append(
            GraphQLError(
                "The weight of @cost must be a number, as in \"1.5\"; it is \(argument?.text ?? String(weight)).",
                locations: [argument?.location].compactMap(\.self)))
        return nil
    }

    /// Reads `@cost(weight:)`. The draft specifies a string; some schemas have a number. The result is nil if there is
    /// no weight, and NaN if it is not a number.
    static func weight(_ directives: NodeList<Directive>) -> Double? {
        guard let directive = directives.first(where: { $0.name.value == "cost" }), let value = directive["weight"]
        else { return nil }
        switch value.kind {
        case .string(let text, _), .int(let text), .float(let text): return Double(text) ?? .nan
        default: return .nan
        }
    }

    /// `@cost` as written in a document.
    static func directive(weight: Double) -> String {
        "@cost(weight: \(StringPrinter.literal(Value.text(of: weight))))"
    }
}

extension CostModel.ListSize {
    /// Reads `@listSize`. The result is nil if the directives do not contain it.
    init?(_ directives: NodeList<Directive>) {
        guard let directive = directives.first(where: { $0.name.value == "listSize" }) else { return nil }
        self.init()
        if case .int(let digits)? = directive["assumedSize"]?.kind { assumedSize = Int(digits) ?? .max }
        slicingArguments = Self.names(directive["slicingArguments"])
        sizedFields = Self.names(directive["sizedFields"])
        if case .boolean(let value)? = directive["requireOneSlicingArgument"]?.kind {
            requiresOneSlicingArgument = value
        }
    }

    /// The directive as written in a document.
    var directive: String {
        func list(_ names: [String]) -> String { "[\(names.map(StringPrinter.literal).joined(separator: ", "))]" }
        var arguments: [String] = []
        if let assumedSize { arguments.append("assumedSize: \(assumedSize)") }
        if !slicingArguments.isEmpty { arguments.append("slicingArguments: \(list(slicingArguments))") }
        if !sizedFields.isEmpty { arguments.append("sizedFields: \(list(sizedFields))") }
        if !requiresOneSlicingArgument { arguments.append("requireOneSlicingArgument: false") }
        return "@listSize" + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
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
