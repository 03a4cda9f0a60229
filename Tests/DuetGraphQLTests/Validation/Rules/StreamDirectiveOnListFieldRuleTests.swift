import DuetGraphQL
import Testing

/// Incremental delivery draft, "Stream Directives Are Used On List Fields".
@Suite("A streamed field must be a list")
struct StreamDirectiveOnListFieldRuleTests {
    private let testing = RuleTesting(.streamDirectiveOnListField)

    @Test("Lists of any items, nullable or not, can be streamed")
    func lists() throws {
        try testing.expectValid(
            """
            {
              employees @stream { skills @stream(initialCount: 1) reports @stream(if: false) { id } }
              search(text: "a") @stream { __typename }
            }
            """)
    }

    @Test(
        "Unknown fields, and @stream in other locations, are not errors of this rule",
        arguments: [
            "query @stream { nothing @stream ... @stream { __typename } }",
            """
            { group(name: "a") { ... @stream { name } ...A @stream } }
            fragment A on Group @stream { name }
            """,
        ])
    func unknown(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("Other directives can be used on any field")
    func otherDirectives() throws {
        try testing.expectValid(#"{ count @include(if: true) @label(text: "a") }"#)
    }

    @Test("A streamed field that is not a list is an error")
    func noLists() throws {
        try testing.expect(
            RuleCase(
                #"{ count @stream other: group(name: "a") @stream(initialCount: 1) { name @stream } }"#,
                #"Stream directive cannot be used on non-list field "count" on type "Query". (1:9)"#,
                #"Stream directive cannot be used on non-list field "group" on type "Query". (1:41)"#,
                #"Stream directive cannot be used on non-list field "name" on type "Group". (1:73)"#))
    }
}
