import DuetGraphQL
import Testing

/// Incremental delivery draft, "Defer And Stream Directives Are Used On Valid Operations".
@Suite("A subscription must not use @defer or @stream")
struct DeferStreamDirectiveOnValidOperationsRuleTests {
    private let testing = RuleTesting(.deferStreamDirectiveOnValidOperations)

    @Test("Queries and mutations can use @defer and @stream")
    func otherOperations() throws {
        try testing.expectValid(
            """
            { employees @stream { ... @defer { id } } }
            mutation M { batch { ... @defer { __typename } } }
            """)
    }

    @Test("A directive is valid if its `if` argument is false or a variable")
    func disabled() throws {
        try testing.expectValid(
            """
            subscription ($on: Boolean!) {
              moved {
                ... @defer(if: false) { id } reports @stream(if: $on) { id } ...A @defer(if: $on)
              }
            }
            fragment A on Employee { skills @stream(if: false) }
            """)
    }

    @Test("A selection that @skip or @include can exclude is not checked")
    func excluded() throws {
        try testing.expectValid(
            """
            subscription ($on: Boolean!) {
              moved {
                ... @defer @skip(if: true) { id }
                ... @include(if: false) { reports @stream { id } }
                skills @stream @skip(if: $on)
                ...A @include(if: $on)
              }
            }
            fragment A on Employee { ... @defer { id } }
            """)
    }

    @Test("A fragment that only other operations spread is valid")
    func unreached() throws {
        try testing.expectValid(
            """
            subscription S { moved { id } }
            query Q { employees { ...A } }
            fragment A on Employee { ... @defer { id } }
            """)
    }

    @Test(
        "@defer or @stream in a subscription is an error that explains how to disable the directive",
        arguments: [
            RuleCase(
                """
                subscription {
                  moved { ... @defer { id } reports @stream(initialCount: 1) { skills @stream(if: true) } }
                }
                """,
                """
                Defer directive not supported on subscription operations. Disable `@defer` by setting the `if` \
                argument to `false`. (2:15)
                """,
                """
                Stream directive not supported on subscription operations. Disable `@stream` by setting the \
                `if` argument to `false`. (2:37)
                """,
                """
                Stream directive not supported on subscription operations. Disable `@stream` by setting the \
                `if` argument to `false`. (2:71)
                """),
            RuleCase(
                """
                subscription {
                  moved { ... @defer @skip(if: false) { id } skills @stream @include(if: true) }
                }
                """,
                """
                Defer directive not supported on subscription operations. Disable `@defer` by setting the `if` \
                argument to `false`. (2:15)
                """,
                """
                Stream directive not supported on subscription operations. Disable `@stream` by setting the \
                `if` argument to `false`. (2:53)
                """),
        ])
    func subscriptions(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("An error in a nested fragment also has the locations of the spreads, from inner to outer")
    func fragments() throws {
        try testing.expect(
            RuleCase(
                """
                subscription { moved { ...A } }
                fragment A on Employee { manager { ...B } ...B }
                fragment B on Employee { manager { ...A } skills @stream }
                """,
                """
                Stream directive not supported on subscription operations. \
                Disable `@stream` by setting the `if` argument to `false`. (3:50, 2:36, 1:24)
                """))
    }
}
