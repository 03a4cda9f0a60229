import DuetGraphQL
import Testing

/// Incremental delivery draft, "Defer And Stream Directive Labels Are Unique".
@Suite("The labels of @defer and @stream must be static and unique")
struct DeferStreamDirectiveLabelRuleTests {
    private let testing = RuleTesting(.deferStreamDirectiveLabel)

    @Test("Directives with different labels, or without a label, are valid")
    func unique() throws {
        try testing.expectValid(
            """
            {
              ... @defer(label: "a") { __typename }
              employees @stream(label: "b") { ... @defer { id } ...A @defer(label: "c") }
            }
            fragment A on Employee {
              reports @stream { id } skills @stream(label: "A", initialCount: 1)
            }
            """)
    }

    @Test("The arguments of other directives are not labels")
    func otherDirectives() throws {
        try testing.expectValid(#"{ ... @label(label: "a") @defer(label: "a") { __typename @label(label: "a") } }"#)
    }

    @Test("A label that is a variable is an error")
    func dynamic() throws {
        try testing.expect(
            RuleCase(
                """
                query ($l: String) {
                  ... @defer(label: $l) { __typename } employees @stream(label: $l) { id }
                }
                """,
                #"Directive "defer"'s label argument must be a static string. (2:7)"#,
                #"Directive "stream"'s label argument must be a static string. (2:50)"#))
    }

    @Test(
        "A repeated label is an error with the locations of both directives",
        arguments: [
            RuleCase(
                """
                {
                  ... @defer(label: "a") { __typename } ... @defer(label: "b") { __typename }
                  ... @defer(label: "a") { __typename }
                }
                """,
                "Defer/Stream directive label argument must be unique. (2:7, 3:7)"),
            RuleCase(
                """
                { employees @stream(label: "a") { ...A } }
                fragment A on Employee { ... @defer(label: "a") { id } reports @stream(label: "a") { id } }
                """,
                "Defer/Stream directive label argument must be unique. (1:13, 2:30)",
                "Defer/Stream directive label argument must be unique. (1:13, 2:64)"),
        ])
    func repeated(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
