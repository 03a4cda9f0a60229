import DuetGraphQL
import Testing

/// Section 5.5.1.3, "Fragments on Object, Interface or Union Types".
@Suite("The type condition of a fragment must be an object, an interface or a union")
struct FragmentsOnCompositeTypesRuleTests {
    private let testing = RuleTesting(.fragmentsOnCompositeTypes)

    @Test(
        "Objects, interfaces and unions are valid type conditions",
        arguments: [
            """
            fragment A on Employee { name }
            fragment B on Person { name }
            fragment C on SearchResult { __typename }
            """,
            """
            {
              search(text: "a") {
                ... on Person { name } ... on Department { name } ... on SearchResult { __typename }
              }
            }
            """,
            "{ employees { ... { name } ... @include(if: true) { email } } }",
        ])
    func composite(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("An unknown type is not an error of this rule")
    func unknown() throws {
        try testing.expectValid("fragment A on Nothing { name } query { ... on Nothing { name } }")
    }

    @Test(
        "A scalar, an enum or an input object as the type condition is an error",
        arguments: [
            RuleCase(
                "fragment A on Date { year }",
                #"Fragment "A" cannot condition on non composite type "Date". (1:15)"#),
            RuleCase(
                "fragment A on Color { red } fragment B on PersonKey { id }",
                #"Fragment "A" cannot condition on non composite type "Color". (1:15)"#,
                #"Fragment "B" cannot condition on non composite type "PersonKey". (1:43)"#),
            RuleCase(
                """
                {
                  employees { ... on String { length } name { ... on Kind @include(if: true) { x } } }
                }
                """,
                #"Fragment cannot condition on non composite type "String". (2:22)"#,
                #"Fragment cannot condition on non composite type "Kind". (2:54)"#),
        ])
    func leaf(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
