import DuetGraphQL
import Testing

/// Section 5.5.2.1, "Fragment Spread Target Defined".
@Suite("Every fragment that is spread must exist")
struct KnownFragmentNamesRuleTests {
    private let testing = RuleTesting(.knownFragmentNames)

    @Test(
        "Spreads of fragments that the document defines are valid",
        arguments: [
            "{ ...A } fragment A on Query { ...B } fragment B on Query { __typename }",
            "fragment A on Employee { manager { ...A } }",
            "{ ... { __typename } ... on Query { __typename } }",
        ])
    func known(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "A spread of an unknown fragment is an error with the location of the name",
        arguments: [
            RuleCase(
                "{ ...A }",
                #"Unknown fragment "A". (1:6)"#),
            RuleCase(
                """
                { ...A employees { ...  B @include(if: true) ... on Employee { ...a } } }
                fragment A on Query { group(name: "A") { ...C } ...B }
                """,
                #"Unknown fragment "B". (1:25)"#,
                #"Unknown fragment "a". (1:67)"#,
                #"Unknown fragment "C". (2:45)"#,
                #"Unknown fragment "B". (2:52)"#),
        ])
    func unknown(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
