import DuetGraphQL
import Testing

/// Section 5.2.3.1, "Lone Anonymous Operation".
@Suite("An operation without a name must be the only operation of its document")
struct LoneAnonymousOperationRuleTests {
    private let testing = RuleTesting(.loneAnonymousOperation)

    @Test(
        "An operation without a name is valid if it is the only one",
        arguments: [
            "{ __typename }",
            "mutation { batch { __typename } }",
            "{ ...Root } fragment Root on Query { __typename }",
        ])
    func alone(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "Any number of named operations is valid",
        arguments: [
            "query A { __typename } query B { __typename } mutation C { __typename }",
            "fragment Root on Query { __typename }",
        ])
    func named(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "An operation without a name is an error if the document has another operation",
        arguments: [
            RuleCase(
                "{ __typename } { __typename }",
                "This anonymous operation must be the only defined operation. (1:1)",
                "This anonymous operation must be the only defined operation. (1:16)"),
            RuleCase(
                "query Team { __typename } query ($first: Int) { __typename }",
                "This anonymous operation must be the only defined operation. (1:27)"),
            RuleCase(
                """
                mutation { batch { __typename } }
                fragment Root on Query { __typename }
                subscription Hired { moved { id } }
                """,
                "This anonymous operation must be the only defined operation. (1:1)"),
        ])
    func several(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
