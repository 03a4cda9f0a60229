import DuetGraphQL
import Testing

/// Section 5.2.4.1, "Single Root Field".
@Suite("A subscription must select exactly one root field")
struct SingleFieldSubscriptionsRuleTests {
    private let testing = RuleTesting(.singleFieldSubscriptions)

    @Test(
        "A subscription with one root field is valid",
        arguments: [
            "subscription { moved { id name } }",
            #"subscription Hired { hired(department: "Sales") { id } }"#,
            "subscription { moved { id } moved { name } ... { moved { room } } }",
            """
            subscription { ...One }
            fragment One on Subscription { ...Two }
            fragment Two on Subscription { moved { id } }
            """,
            "subscription { moved { id @include(if: true) name @skip(if: false) } }",
        ])
    func single(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "Queries and mutations can select several root fields",
        arguments: [
            #"query { __typename employees { id } group(name: "A") { name } }"#,
            "mutation { __typename batch { __typename } again: batch { __typename } }",
        ])
    func otherOperations(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("A fragment on an interface of the subscription type can select the root field")
    func interfaces() throws {
        try testing.expectValid(
            """
            subscription { ... on Feed { moved { id } } ...Moved }
            fragment Moved on Feed { moved { name } }
            """)
    }

    @Test("The fields of a fragment on another type are not counted")
    func otherTypes() throws {
        try testing.expectValid(
            """
            subscription { moved { id } ... on Query { employees { id } } ...Other }
            fragment Other on Employee { name }
            """)
    }

    @Test("Validation terminates for a cycle of fragments")
    func cycle() throws {
        try testing.expectValid(
            """
            subscription { ...A }
            fragment A on Subscription { moved { id } ...B }
            fragment B on Subscription { ...A }
            """)
    }

    @Test(
        "A second root field is an error that points to each field after the first",
        arguments: [
            RuleCase(
                "subscription { moved { id } hired { id } }",
                "Anonymous Subscription must select only one top level field. (1:29)"),
            RuleCase(
                "subscription News { moved { id } hired { id } again: hired { name } }",
                #"Subscription "News" must select only one top level field. (1:34, 1:47)"#),
            RuleCase(
                "subscription { moved { id } more: moved { id } }",
                "Anonymous Subscription must select only one top level field. (1:29)"),
            RuleCase(
                """
                subscription News { hired { id } ...Moved }
                fragment Moved on Subscription { moved { id } ... on Feed { moved { name } } }
                """,
                #"Subscription "News" must select only one top level field. (2:34, 2:61)"#),
        ])
    func several(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "An introspection field at the root is an error",
        arguments: [
            RuleCase(
                "subscription { __typename }",
                "Anonymous Subscription must not select an introspection top level field. (1:16)"),
            RuleCase(
                """
                subscription News { moved { id } ...Type }
                fragment Type on Subscription { kind: __typename }
                """,
                #"Subscription "News" must select only one top level field. (2:33)"#,
                #"Subscription "News" must not select an introspection top level field. (2:33)"#),
        ])
    func introspection(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "@skip or @include on a root field, or on a fragment that contains a root field, is an error",
        arguments: [
            RuleCase(
                "subscription { moved @skip(if: false) { id } }",
                """
                Anonymous Subscription must not use `@skip` or `@include` directives in the top level \
                selection. (1:22)
                """),
            RuleCase(
                """
                subscription News($on: Boolean!) { ...Moved @include(if: $on) }
                fragment Moved on Subscription {
                  ... @skip(if: $on) { moved @include(if: $on) @label(text: "a") { id } }
                }
                """,
                """
                Subscription "News" must not use `@skip` or `@include` directives in the top level selection. \
                (1:45, 3:7, 3:30)
                """),
            RuleCase(
                "subscription { moved @skip(if: true) { id } hired @skip(if: false) { id } }",
                """
                Anonymous Subscription must not use `@skip` or `@include` directives in the top level \
                selection. (1:22, 1:51)
                """,
                "Anonymous Subscription must select only one top level field. (1:45)"),
        ])
    func conditional(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
