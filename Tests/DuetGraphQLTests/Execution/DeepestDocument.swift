import DuetGraphQL
import DuetJSON
import Testing

/// GraphQL documents that are nested to the maximum depth or deeper. Tests parse, print, validate, plan and execute
/// them.
enum DeepestDocument: String, CaseIterable, Sendable {
    case fields, fieldsOfLists, fieldsOfListsWithArguments, fieldsOfInterfaces, fragments, deferredFragments,
        fieldsWithArguments
    case lists, objects, listsOfCustomScalar, objectsOfCustomScalar, variableInLists, directiveArguments
    case listTypes, listTypeOfOneItem, variables, variablesOfCustomScalar, wrongVariables, wrongLiteral
    case tooDeepLists, tooDeepObjects, tooDeepCustomScalar, tooDeepDirectiveArgument, tooDeepType, tooDeepDefault,
        deepestFragments

    private static let selections = ParserLimits.request.depth
    private static let fieldDepth = PlanLimits().depth
    private static let values = Literal.deepestNesting
    /// The maximum nesting depth of variables.
    private static let json = 64

    private static func nested(_ count: Int, _ opening: String, _ inside: String, _ closing: String) -> String {
        String(repeating: opening, count: count) + inside + String(repeating: closing, count: count)
    }

    /// True if the response contains errors.
    var isRefused: Bool { rawValue.hasPrefix("wrong") || rawValue.hasPrefix("tooDeep") }

    var text: String {
        let (selections, fieldDepth, values) = (Self.selections, Self.fieldDepth, Self.values)
        let object = Self.nested(values - 1, "{inner:", "{to:1}", "}")
        return switch self {
        case .fields: Self.nested(fieldDepth - 1, "{next", "{leaf}", "}")
        case .fieldsOfLists: Self.nested(fieldDepth - 1, "{list", "{leaf}", "}")
        case .fieldsOfListsWithArguments:
            "query($v:Range)" + Self.nested(fieldDepth - 1, "{list", "{leaf(range:{inner:$v} any:\(object))}", "}")
        case .fieldsOfInterfaces: Self.nested(fieldDepth - 1, "{node", "{leaf}", "}")
        case .fragments: "{next" + Self.nested(selections - 2, "{...", "{leaf}", "}") + "}"
        case .deferredFragments: "{next" + Self.nested(selections - 2, "{...@defer", "{leaf}", "}") + "}"
        case .fieldsWithArguments:
            "query($v:Range)" + Self.nested(fieldDepth - 1, "{next", "{leaf(range:{inner:$v} any:\(object))}", "}")
        case .lists: "{leaf(kinds:" + Self.nested(values, "[", "NEW", "]") + ")}"
        case .objects: "{leaf(range:\(object))}"
        case .listsOfCustomScalar: "{leaf(any:" + Self.nested(values, "[", "1", "]") + ")}"
        case .objectsOfCustomScalar: "{leaf(any:" + Self.nested(values, "{a:", "1", "}") + ")}"
        case .variableInLists: "query($v:Any){leaf(any:" + Self.nested(values, "[", "$v", "]") + ")}"
        case .directiveArguments: "{leaf@cost(of:\(object))}"
        case .listTypes:
            "query($v:\(Self.nested(values - 1, "[", "Int", "]"))=\(Self.nested(values - 1, "[", "1", "]"))){leaf(lists:$v)}"
        case .listTypeOfOneItem: "query($v:\(Self.nested(values - 1, "[", "Int", "]"))=1){leaf(lists:$v)}"
        case .variables: "query($v:Range){leaf(range:$v)}"
        case .variablesOfCustomScalar: "query($v:Any){leaf(any:$v)}"
        case .wrongVariables: "query($v:\(Self.nested(values - 1, "[", "Int!", "]"))){leaf(lists:$v)}"
        case .tooDeepLists: "{leaf(kinds:" + Self.nested(selections - 1, "[", "NEW", "]") + ")}"
        case .tooDeepObjects: "{leaf(range:" + Self.nested(selections - 2, "{inner:", "{}", "}") + ")}"
        case .tooDeepCustomScalar: "{leaf(any:" + Self.nested(selections - 1, "[", "1", "]") + ")}"
        case .tooDeepDirectiveArgument: "{leaf@cost(of:" + Self.nested(selections - 2, "{inner:", "{}", "}") + ")}"
        case .tooDeepType: "query($v:\(Self.nested(selections, "[", "Int", "]"))=1){leaf(any:[$v])}"
        case .tooDeepDefault: "query($v:Any=\(Self.nested(selections, "[", "1", "]"))){leaf(any:$v)}"
        case .deepestFragments: "{next" + Self.nested(selections - 2, "{...on Query@defer", "{leaf}", "}") + "}"
        case .wrongLiteral: "{leaf(range:\(Self.nested(values, "{inner:", "1", "}")))}"
        }
    }

    /// The variables of the request as JSON.
    var variables: String {
        let variable =
            switch self {
            case .fieldsWithArguments, .fieldsOfListsWithArguments, .variables:
                Self.nested(Self.json - 2, #"{"inner":"#, #"{"to":1}"#, "}")
            case .variableInLists, .variablesOfCustomScalar: Self.nested(Self.json - 1, "[", "1", "]")
            case .wrongVariables: Self.nested(Self.json - 1, "[", "null", "]")
            default: ""
            }
        return variable.isEmpty ? "{}" : "{\"v\":\(variable)}"
    }

    /// A schema with recursive types and with list types that are nested to the maximum depth.
    static let sdl = """
        directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @cost(of: Range) on FIELD
        scalar Any
        enum Kind { NEW }
        input Range { inner: Range to: Int any: Any }
        interface Node { node: Node leaf: Any }
        type Leaf implements Node { node: Node leaf: Any }
        type Query { next: Query! list: [Query!]! node: Node leaf(range: Range any: Any kinds: \(nested(values, "[", "Kind", "]")) lists: \(nested(values - 1, "[", "Int", "]"))): Any }
        """

    static let schema: ExecutableSchema<Void>? = try? {
        var resolvers = SchemaResolvers()
        resolvers.defaultResolver = .sync { _, _ in ResolvedValue.null }
        resolvers["Query", "next"] = .sync { _, _ in .object(0) }
        resolvers["Query", "list"] = .sync { _, _ in .list([.object(0)]) }
        resolvers["Query", "node"] = .sync { _, _ in .object(0) }
        resolvers["Leaf", "node"] = .sync { _, _ in .object(0) }
        resolvers.resolveType(of: "Node") { _, _ in "Leaf" }
        resolvers["Query", "leaf"] = .sync { _, context in
            let value = Value.object(context.arguments.values)
            _ = value.description
            _ = value.hashValue
            _ = Literal(of: value)
            return .value(value)
        }
        return try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)
    }()

    /// Applies all steps of a request to the document, and returns the response.
    func response() throws -> String {
        let schema = try #require(Self.schema)
        let document = try Parser.parse(text)
        let printed = try Parser.parse(Printer.print(document), limits: .schema)
        #expect(Printer.print(printed) == Printer.print(document))
        let errors = Validation.validate(document, against: schema.schema)
        if !errors.isEmpty { return GraphQLResponse(requestErrors: errors).text }
        let operation = try PreparedOperation(unvalidated: document, schema: schema)
        let variables = try JSONValue(parsing: variables.utf8)
        guard case .object(let members) = variables else { return "" }
        let response = operation.executeSynchronously(variables: ObjectValue(members), rootValue: 0)
        return response.text
    }
}
