import DuetGraphQL
import Testing

/// Incremental delivery draft, "Defer And Stream Directives Are Used On Valid Root Field".
@Suite("The root fields of mutations and subscriptions must not be deferred or streamed")
struct DeferStreamDirectiveOnRootFieldRuleTests {
    private let testing = RuleTesting(.deferStreamDirectiveOnRootField)

    @Test("The root fields of a query can be deferred and streamed")
    func queries() throws {
        try testing.expectValid(
            """
            { ... @defer { employees @stream { id } } ...A @defer }
            fragment A on Query { search(text: "a") @stream { __typename } }
            """)
    }

    @Test(
        "Fields below the root can be deferred and streamed, even if they are fields of the root type",
        arguments: [
            #"mutation { batch { ... @defer { move(ids: [], department: "a") @stream { id } } } }"#,
            """
            subscription { moved { reports @stream { id } ... @defer { name } ...A @defer } }
            fragment A on Employee { name }
            """,
        ])
    func belowRoot(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("Validation terminates for a cycle of fragments")
    func cycle() throws {
        try testing.expectValid(
            """
            mutation { ...A }
            fragment A on Mutation { batch { __typename } ...B }
            fragment B on Mutation { ...A }
            """)
    }

    @Test(
        "A deferred or streamed root field of a mutation is an error",
        arguments: [
            RuleCase(
                """
                mutation {
                  ... @defer { batch { __typename } } move(ids: [], department: "a") @stream { id }
                }
                """,
                #"Defer directive cannot be used on root mutation type "Mutation". (2:7)"#,
                #"Stream directive cannot be used on root mutation type "Mutation". (2:70)"#),
            RuleCase(
                "mutation { ...A @defer(if: false) } fragment A on Mutation { batch { __typename } }",
                #"Defer directive cannot be used on root mutation type "Mutation". (1:17)"#),
        ])
    func mutations(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A deferred or streamed root field of a subscription is an error")
    func subscriptions() throws {
        try testing.expect(
            RuleCase(
                #"subscription { ... @defer(label: "a") { moved @stream(initialCount: 1) { id } } }"#,
                #"Defer directive cannot be used on root subscription type "Subscription". (1:20)"#,
                #"Stream directive cannot be used on root subscription type "Subscription". (1:47)"#))
    }

    @Test("An error in a nested fragment also has the locations of the spreads, from inner to outer")
    func fragments() throws {
        try testing.expect(
            RuleCase(
                """
                mutation { batch { __typename } ...A }
                fragment A on Mutation { ... { ...B } }
                fragment B on Mutation { move(ids: [], department: "a") @stream { id } }
                """,
                #"Stream directive cannot be used on root mutation type "Mutation". (3:57, 2:32, 1:33)"#))
    }
}
