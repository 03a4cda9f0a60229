import DuetGraphQL
import Testing

/// Section 5.5.1.4, "Fragments Must Be Used".
@Suite("Every fragment must be used by an operation")
struct NoUnusedFragmentsRuleTests {
    private let testing = RuleTesting(.noUnusedFragments)

    @Test(
        "A fragment that an operation spreads, directly or through fragments, is used",
        arguments: [
            "{ ...A } fragment A on Query { employees { ...B } } fragment B on Employee { name }",
            """
            query One { ...A }
            query Two { ... { ... on Query { ...B } } }
            fragment A on Query { __typename }
            fragment B on Query { __typename }
            """,
            "{ __typename }",
        ])
    func used(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("Fragments in a cycle are used if an operation spreads one of them")
    func cycle() throws {
        try testing.expectValid(
            """
            { employees { ...A } }
            fragment A on Employee { manager { ...B } }
            fragment B on Employee { manager { ...A } }
            """)
    }

    @Test(
        "A fragment that no operation spreads is an error",
        arguments: [
            RuleCase(
                "{ __typename } fragment A on Query { __typename }",
                #"Fragment "A" is never used. (1:16)"#),
            RuleCase(
                """
                { ...B }
                fragment A on Query { ...B }
                fragment B on Query { __typename }
                fragment C on Query { ...A }
                """,
                #"Fragment "A" is never used. (2:1)"#,
                #"Fragment "C" is never used. (4:1)"#),
            RuleCase(
                "fragment A on Query { __typename }",
                #"Fragment "A" is never used. (1:1)"#),
        ])
    func unused(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("Fragments that only spread each other are not used")
    func unusedCycle() throws {
        try testing.expect(
            RuleCase(
                """
                { ...Missing }
                fragment A on Employee { manager { ...B } }
                fragment B on Employee { manager { ...A } }
                """,
                #"Fragment "A" is never used. (2:1)"#,
                #"Fragment "B" is never used. (3:1)"#))
    }
}
