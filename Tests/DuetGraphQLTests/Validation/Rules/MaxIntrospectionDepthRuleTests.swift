import DuetGraphQL
import Testing

@Suite("Introspection must not nest more than two lists")
struct MaxIntrospectionDepthRuleTests {
    private let testing = RuleTesting(.maxIntrospectionDepth)

    @Test(
        "Two nested lists of fields, interfaces, possible types or input fields are valid",
        arguments: [
            "{ __schema { types { fields { name type { fields { name } } } } } }",
            """
            {
              __type(name: "Employee") {
                interfaces { possibleTypes { name ofType { name } } }
                inputFields { type { inputFields { name } } }
              }
            }
            """,
            """
            { __schema { types { ...A } } }
            fragment A on __Type { fields { type { ...B } } }
            fragment B on __Type { interfaces { name } }
            """,
        ])
    func shallow(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("Other nested fields are valid at any depth")
    func deepTypes() throws {
        try testing.expectValid(
            """
            {
              __type(name: "A") {
                ofType { ofType { ofType { ofType { enumValues { name } fields { args { name } } } } } }
              }
            }
            """)
    }

    @Test(
        "Fields with the names of introspection lists are not limited outside of introspection",
        arguments: [
            "{ employees { fields { fields { fields { name } } } } }",
            "{ fields { fields { __schema { types { fields { name } } } } } }",
        ])
    func ownFields(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("Lists that are not nested are counted separately")
    func siblings() throws {
        try testing.expectValid(
            """
            {
              a: __schema { types { fields { name } fields { name } interfaces { name } } }
              b: __schema { types { fields { name } } }
            }
            """)
    }

    @Test(
        "A third nested list is an error with the location of the introspection field at the root",
        arguments: [
            RuleCase(
                """
                {
                  employees { name }
                  __schema { types { fields { type { fields { type { fields { name } } } } } } }
                }
                """,
                "Maximum introspection depth exceeded (3:3)"),
            RuleCase(
                #"{ meta: __type(name: "A") { interfaces { possibleTypes { inputFields { name } } } } }"#,
                "Maximum introspection depth exceeded (1:3)"),
            RuleCase(
                """
                query One {
                  __schema { types { fields { type { possibleTypes { interfaces { name } } } } } }
                }
                query Two {
                  __schema { types { fields { name } } }
                  __type(name: "A") { fields { type { fields { type { fields { name } } } } } }
                }
                """,
                "Maximum introspection depth exceeded (2:3)",
                "Maximum introspection depth exceeded (6:3)"),
        ])
    func deep(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "The lists of a fragment are counted at each spread of the fragment",
        arguments: [
            RuleCase(
                """
                { __schema { types { ...A } } }
                fragment A on __Type { fields { type { ...B } } }
                fragment B on __Type { interfaces { ...C } }
                fragment C on __Type { fields { name } }
                """,
                "Maximum introspection depth exceeded (1:3)"),
            RuleCase(
                """
                { ...Root }
                fragment Root on Query {
                  __schema {
                    types { ... { fields { type { ... on __Type { fields { type { ...A } } } } } } }
                  }
                }
                fragment A on __Type { inputFields { name } }
                """,
                "Maximum introspection depth exceeded (3:3)"),
        ])
    func fragments(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
