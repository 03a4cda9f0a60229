import DuetGraphQL
import Testing

@Suite("The document walker")
struct DocumentWalkerTests {
    private static let sdl = """
        directive @at(where: [Place!] = [HERE]) on FIELD | QUERY
        type Query { node(id: ID!, filter: Filter = {near: {near: null}}): Node }
        interface Node { id: ID! }
        type Employee implements Node { id: ID! boss: Employee names(first: Int): [String!] }
        input Filter { near: Filter places: [[Place!]] max: Int! = 3 }
        enum Place { HERE }
        """

    /// Returns the values that a rule receives, one line for each node.
    private func seen(
        _ text: String, _ register: @escaping @Sendable (inout DocumentVisitor, ValidationContext, Log) -> Void
    ) throws -> [String] {
        let log = Log()
        let rule = ValidationRule("Test") { register(&$0, $1, log) }
        let context = ValidationContext(document: try Parser.parse(text), schema: try Schema(sdl: Self.sdl))
        _ = DocumentWalker.run([rule], in: context)
        return log.lines
    }

    private final class Log: @unchecked Sendable { var lines: [String] = [] }

    @Test("Fields are visited with their parent type and their type")
    func fields() throws {
        let lines = try seen(
            "{ a: node(id: 1) { id ... on Employee { boss { __typename } names } ... @at { nothing { x } } ...F } __schema { types { name } } } fragment F on Employee { names }"
        ) { visitor, context, log in
            visitor.enterField.append { field in
                let parent = context.parentType?.name ?? "?"
                log.lines.append("\(parent).\(field.name.value): \(context.type.map { "\($0)" } ?? "?")")
            }
            visitor.leaveField.append { log.lines.append("/\($0.responseName)") }
        }
        #expect(
            lines == [
                "Query.node: Node", "Node.id: ID!", "/id", "Employee.boss: Employee", "Employee.__typename: String!",
                "/__typename", "/boss", "Employee.names: [String!]", "/names", "Node.nothing: ?", "?.x: ?", "/x",
                "/nothing",
                "/a", "Query.__schema: __Schema!", "__Schema.types: [__Type!]!", "__Type.name: String", "/name",
                "/types",
                "/__schema", "Employee.names: [String!]", "/names",
            ])
    }

    @Test("Literals are visited with their type, the enclosing type, and the default value")
    func literals() throws {
        let lines = try seen(
            "query ($v: Filter = {max: 1}) @at(where: HERE) { node(id: \"a\", filter: {near: $v, places: [[HERE]], x: [2]}) { id } }"
        ) { visitor, context, log in
            visitor.enterLiteral.append { literal in
                func text(_ type: GraphQLType?) -> String { type.map { "\($0)" } ?? "?" }
                let value = context.defaultValue.map { " = \($0)" } ?? ""
                log.lines.append(
                    "\(Printer.print(literal)): \(text(context.inputType)) in \(text(context.parentInputType))\(value)")
            }
        }
        #expect(
            lines == [
                "{max: 1}: Filter in ?", "1: Int! in Filter = 3", "HERE: [Place!] in ? = [HERE]", "\"a\": ID! in ?",
                "{near: $v, places: [[HERE]], x: [2]}: Filter in ? = { near: { near: null, max: 3 }, max: 3 }",
                "$v: Filter in Filter", "[[HERE]]: [[Place!]] in Filter", "[HERE]: [Place!] in [[Place!]]",
                "HERE: Place! in [Place!]", "[2]: ? in Filter", "2: ? in ?",
            ])
    }

    @Test("Directives are visited with their location")
    func directives() throws {
        let lines = try seen("query ($a: Int @b) @c { d @e ...F @g ... @h { i } } fragment F on Query @j { k }") {
            visitor, _, log in
            visitor.enterDirective.append { log.lines.append("\($0.name.value) \($1.rawValue)") }
        }
        #expect(
            lines == [
                "b VARIABLE_DEFINITION", "c QUERY", "e FIELD", "g FRAGMENT_SPREAD", "h INLINE_FRAGMENT",
                "j FRAGMENT_DEFINITION",
            ])
    }

    @Test("A walk ends at the maximum number of errors")
    func abort() throws {
        let document = try Parser.parse("{ " + (0..<50).map { "a\($0) @x " }.joined() + "}")
        let context = ValidationContext(document: document, schema: try Schema(sdl: Self.sdl), maximumErrors: 3)
        let errors = DocumentWalker.run([.knownDirectives], in: context)
        #expect(errors.count == 4)
        #expect(errors[2].locations == [SourceLocation(line: 1, column: 18)])
        #expect(
            errors[3].message == "Too many validation errors, error limit reached. Validation aborted.")
    }
}
