import DuetGraphQL
import Testing

@Suite("The rules for executable documents")
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
    private func errors(
        _ text: String, rules: [ValidationRule] = Validation.specifiedRules + Validation.recommendedRules
    ) throws -> [String] {
        let schema = try Schema(sdl: Self.sdl)
        return Validation.validate(try Parser.parse(text), against: schema, rules: rules).map(\.description)
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

    @Test("The errors of all rules are in document order")
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

    @Test("The root fields of a subscription cannot be conditional")
    func conditionalSubscription() throws {
        #expect(
            try errors("subscription S { ...F } fragment F on Subscription { changed @skip(if: true) { id } }") == [
                "Subscription \"S\" must not use `@skip` or `@include` directives in the top level selection. (1:62)"
            ])
        #expect(try errors("subscription { changed { id @include(if: true) } }") == [])
    }

    @Test("A subscription's fragments on other types do not count")
    func subscriptionFields() throws {
        #expect(
            try errors(
                "subscription { changed { id } changed { id } ... on Query { employees { id } } removed }",
                rules: [.singleFieldSubscriptions])
                == ["Anonymous Subscription must select only one top level field. (1:80)"])
    }

    @Test("Arguments and values inside an unknown directive do not count as those of the field")
    func unknownDirective() throws {
        #expect(
            try errors("mutation { noop @nobody(x: $y) }") == [
                "Unknown directive \"@nobody\". (1:17)", "Variable \"$y\" is not defined. (1:28, 1:1)",
            ])
    }

    @Test("A OneOf Input Object requires exactly one non-null field, and only non-null variables")
    func oneOf() throws {
        func check(_ key: String, variables: String = "") throws -> [String] {
            try errors("query Q\(variables) { employee(id: 1, by: \(key)) { id } }")
        }
        #expect(try check("{id: 1}") == [])
        #expect(try check("{}") == ["OneOf Input Object \"Key\" must specify exactly one key. (1:31)"])
        #expect(
            try check("{id: 1, name: \"a\"}") == ["OneOf Input Object \"Key\" must specify exactly one key. (1:31)"])
        #expect(try check("{id: null}") == ["Field \"Key.id\" must be non-null. (1:31)"])
        #expect(try check("{id: $k}", variables: "($k: ID!)") == [])
        #expect(
            try check("{id: $k}", variables: "($k: ID = 1)") == [
                "Variable \"$k\" is of type \"ID\" but must be non-nullable to be used for OneOf Input Object \"Key\". "
                    + "(1:9, 1:48)"
            ])
    }

    @Test(
        "A nullable variable is permitted in a position with a default value, and a list variable in no single-value position"
    )
    func variablePositions() throws {
        func check(_ type: String) throws -> [String] {
            try errors(
                "query ($v: \(type)) { employee(id: 1) { name(short: $v) } }", rules: [.variablesInAllowedPosition])
        }
        #expect(try check("Boolean") == [])
        #expect(try check("Boolean!") == [])
        #expect(
            try check("[Boolean!]!") == [
                "Variable \"$v\" of type \"[Boolean!]!\" used in position expecting type \"Boolean!\". (1:8, 1:57)"
            ])
        #expect(try check("Int = 1").count == 1)
    }

    @Test("A variable must be defined in each operation that reaches the fragment")
    func variablesOfFragments() throws {
        let text = """
            query A($s: Boolean!) { ...F } query B { ...F }
            fragment F on Query { ...G } fragment G on Query { employees { name(short: $s) } }
            """
        #expect(try errors(text) == ["Variable \"$s\" is not defined by operation \"B\". (2:76, 1:32)"])
    }

    @Test("Introspection can be rejected, and deprecated fields can be reported")
    func customRules() throws {
        #expect(
            try errors("{ __schema { queryType { name } } }", rules: [.noSchemaIntrospectionCustom]).count == 2)
        #expect(
            try errors("{ __typename employees { __typename id } }", rules: [.noSchemaIntrospectionCustom]) == [])
        #expect(
            try errors("{ employees { old } }", rules: [.noDeprecatedCustom])
                == ["The field Employee.old is deprecated. Use id. (1:15)"])
    }

    @Test("Introspection lists can be nested twice but not three times, including in fragments")
    func introspectionDepth() throws {
        func check(_ text: String) throws -> [String] { try errors(text, rules: [.maxIntrospectionDepth]) }
        #expect(try check("{ __schema { types { fields { type { fields { name } } } } } }") == [])
        #expect(
            try check(
                "{ __schema { types { ...A } } } fragment A on __Type { fields { type { ...B } } } "
                    + "fragment B on __Type { interfaces { ...C } } fragment C on __Type { fields { name } }")
                == ["Maximum introspection depth exceeded (1:3)"])
    }

    @Test("Arguments are equal in any order of their fields, and a block string differs from a string")
    func sameArguments() throws {
        func check(_ left: String, _ right: String) throws -> Int {
            try errors(
                "{ employee(\(left)) { id } employee(\(right)) { id } }", rules: [.overlappingFieldsCanBeMerged]
            ).count
        }
        #expect(try check("id: 1, by: {id: 1, name: [2]}", "by: {name: [2], id: 1}, id: 1") == 0)
        #expect(try check("id: 1, by: {id: 1, name: [2]}", "by: {name: [2, 3], id: 1}, id: 1") == 1)
        #expect(try check("id: \"1\"", "id: \"\"\"1\"\"\"") == 1)
        #expect(try check("id: $a", "id: $b") == 1)
    }

    @Test("A document with type definitions is rejected with their names")
    func executable() throws {
        #expect(
            try errors(
                "{ __typename } extend schema @tag(name: \"x\") type T { a: Int } directive @d on FIELD",
                rules: [.executableDefinitions]) == [
                    "The schema definition is not executable. (1:16)", "The \"T\" definition is not executable. (1:46)",
                    "The \"d\" definition is not executable. (1:64)",
                ])
    }
}
