import DuetGraphQL
import Testing

/// Section 5.5.2.3, "Fragment Spread Is Possible".
@Suite("A fragment must be able to apply to an object of the enclosing type")
struct PossibleFragmentSpreadsRuleTests {
    private let testing = RuleTesting(.possibleFragmentSpreads)

    @Test(
        "A type condition is valid if it shares a possible object type with the enclosing type",
        arguments: [
            "{ employees { ... on Employee { id } ...A } } fragment A on Employee { name }",
            "{ employees { ... on Person { name } ... on SearchResult { __typename } } }",
            """
            {
              search(text: "a") {
                ... on Contractor { room } ... on Person { name } ... on Group { name }
              }
            }
            """,
            """
            fragment A on Person {
              ... on Employee { id } ... on SearchResult { __typename } ... on Person { name }
            }
            """,
            "fragment A on Subscription { ... on Feed { moved { id } } }",
        ])
    func possible(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("An inline fragment without a type condition is always possible")
    func untyped() throws {
        try testing.expectValid("{ employees { ... { id } ... @include(if: true) { id } } }")
    }

    @Test("Unknown types and types without fields are not errors of this rule")
    func unknown() throws {
        try testing.expectValid(
            """
            { employees { ... on Nothing { id } ... on Kind { id } ...A ...B ...C } }
            fragment A on Nothing { id }
            fragment B on Date { id }
            """)
    }

    @Test(
        "A fragment on an object type that is not a possible type of the enclosing type is an error",
        arguments: [
            RuleCase(
                "{ employees { ... on Contractor { room } } }",
                """
                Fragment cannot be spread here as objects of type "Employee" can never be of type "Contractor". \
                (1:15)
                """),
            RuleCase(
                "{ employees { ...A } } fragment A on Query { __typename }",
                """
                Fragment "A" cannot be spread here as objects of type "Employee" can never be of type "Query". \
                (1:15)
                """),
            RuleCase(
                "{ employees { ... { ... on Person { ... on Agency { room } } } } }",
                """
                Fragment cannot be spread here as objects of type "Person" can never be of type "Agency". (1:37)
                """),
        ])
    func objects(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "A type condition is an error if it shares no possible object type with the enclosing type",
        arguments: [
            RuleCase(
                "{ employees { ... on Group { name } ...A } } fragment A on Group { name }",
                """
                Fragment cannot be spread here as objects of type "Employee" can never be of type "Group". \
                (1:15)
                """,
                """
                Fragment "A" cannot be spread here as objects of type "Employee" can never be of type "Group". \
                (1:37)
                """),
            RuleCase(
                """
                fragment A on Group { ... on Person { name } }
                fragment B on SearchResult { ... on Agency { name } ...D }
                fragment C on Agency { ... on SearchResult { __typename } }
                fragment D on Feed { moved { id } }
                """,
                """
                Fragment cannot be spread here as objects of type "Group" can never be of type "Person". (1:23)
                """,
                """
                Fragment cannot be spread here as objects of type "SearchResult" can never be of type "Agency". \
                (2:30)
                """,
                """
                Fragment "D" cannot be spread here as objects of type "SearchResult" can never be of type \
                "Feed". (2:53)
                """,
                """
                Fragment cannot be spread here as objects of type "Agency" can never be of type "SearchResult". \
                (3:24)
                """),
        ])
    func abstract(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
