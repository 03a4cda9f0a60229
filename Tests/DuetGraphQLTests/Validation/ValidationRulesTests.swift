import DuetGraphQL
import Testing

@Suite("All rules for executable documents together")
struct ValidationRulesTests {
    private static let sdl = """
        directive @tag(name: String!) repeatable on FIELD | QUERY
        type Query { employee(id: ID!, by: Key): Employee employees(ids: [ID!] = [], order: Order): [Employee!]! }
        type Mutation { noop: Int }
        type Subscription { changed: Employee removed: ID }
        type Employee { id: ID! name(short: Boolean! = false): String boss: Employee old: Int @deprecated(reason: "Use id.") }
        input Key @oneOf { id: ID name: String }
        enum Order { ASC DESC }
        """

    /// Returns the messages with their locations.
    private func errors(_ text: String) throws -> [String] {
        let schema = try Schema(sdl: Self.sdl, directives: SchemaDirective.incrementalDelivery)
        return Validation.validate(try Parser.parse(text), against: schema).map(\.description)
    }

    @Test("A valid document has no errors")
    func valid() throws {
        let text = """
            query ($id: ID!, $short: Boolean = true, $name: String!) @tag(name: "a") @tag(name: "b") {
              employee(id: $id, by: {name: $name}) { ...F __typename }
              employees(ids: [$id, 3, "4"], order: DESC) { ... @include(if: true) { id boss { id } } }
              __schema { types { name fields { name } } }
            }
            fragment F on Employee { name(short: $short) boss { name(short: $short) } }
            """
        #expect(try errors(text) == [])
    }

    @Test("A query can use @defer and @stream at any level")
    func incrementalDelivery() throws {
        let text = """
            query ($if: Boolean!, $count: Int!) {
              ... @defer(label: "root") { employee(id: 1) { id } }
              employees @stream(initialCount: $count, label: "all") { ...F @defer(if: $if, label: "F") ...F @defer }
            }
            fragment F on Employee { name boss { ... @defer { id } } }
            """
        #expect(try errors(text) == [])
    }

    @Test("The errors of all rules are in the order in which the document is visited")
    func order() throws {
        let text = """
            query ($unused: Int) { nothing employee { id ...G } ...F }
            fragment F on Employee { id: name id }
            fragment Cycle on Employee { boss { ...Cycle } }
            """
        #expect(
            try errors(text) == [
                "Cannot query field \"nothing\" on type \"Query\". (1:24)",
                "Unknown fragment \"G\". (1:49)",
                "Field \"employee\" argument \"id\" of type \"ID!\" is required, but it was not provided. (1:32)",
                "Fragment \"F\" cannot be spread here as objects of type \"Query\" can never be of type \"Employee\". (1:53)",
                "Variable \"$unused\" is never used. (1:8)",
                "Fields \"id\" conflict because \"name\" and \"id\" are different fields. Use different aliases on the "
                    + "fields to fetch both if this was intentional. (2:26, 2:35)",
                "Cannot spread fragment \"Cycle\" within itself. (3:37)",
                "Fragment \"Cycle\" is never used. (3:1)",
            ])
    }

    @Test("The arguments of an unknown directive are not treated as arguments of the field")
    func unknownDirective() throws {
        #expect(
            try errors("mutation { noop @nobody(x: $y) }") == [
                "Unknown directive \"@nobody\". (1:17)", "Variable \"$y\" is not defined. (1:28, 1:1)",
            ])
    }
}
