import DuetGraphQL
import Testing

/// Section 5.5.2.2, "Fragment Spreads Must Not Form Cycles".
@Suite("A fragment must not contain itself")
struct NoFragmentCyclesRuleTests {
    private let testing = RuleTesting(.noFragmentCycles)

    @Test(
        "Fragments that spread other fragments, even several times, are valid",
        arguments: [
            """
            fragment A on Query { ...B ...B ...C }
            fragment B on Query { ...C }
            fragment C on Query { __typename }
            """,
            """
            fragment A on Employee { manager { ...B } }
            fragment B on Employee { name ... { ...C } }
            fragment C on Employee { id }
            """,
        ])
    func acyclic(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("An unknown fragment is not an error of this rule")
    func unknown() throws {
        try testing.expectValid("fragment A on Query { ...Nothing }")
    }

    @Test(
        "A fragment that spreads itself is an error",
        arguments: [
            RuleCase(
                "fragment A on Employee { ...A }",
                #"Cannot spread fragment "A" within itself. (1:26)"#),
            RuleCase(
                "fragment A on Employee { manager { ... on Person { ... { ...A } } } }",
                #"Cannot spread fragment "A" within itself. (1:58)"#),
            RuleCase(
                "fragment A on Employee { ...A manager { ...A } }",
                #"Cannot spread fragment "A" within itself. (1:26)"#,
                #"Cannot spread fragment "A" within itself. (1:41)"#),
        ])
    func itself(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "A cycle through other fragments is an error that names these fragments",
        arguments: [
            RuleCase(
                "fragment A on Employee { ...B } fragment B on Employee { ...A }",
                #"Cannot spread fragment "A" within itself via "B". (1:26, 1:58)"#),
            RuleCase(
                """
                { employees { ...A } }
                fragment A on Employee { name ...D manager { ...B } }
                fragment B on Employee { ...C }
                fragment C on Employee { id ...A }
                fragment D on Employee { name }
                """,
                #"Cannot spread fragment "A" within itself via "B", "C". (2:46, 3:26, 4:29)"#),
        ])
    func others(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "Each cycle is reported once, for the fragment at which the search enters the cycle",
        arguments: [
            RuleCase(
                """
                fragment A on Employee { ...B ...C }
                fragment B on Employee { ...A }
                fragment C on Employee { ...A ...C }
                """,
                #"Cannot spread fragment "A" within itself via "B". (1:26, 2:26)"#,
                #"Cannot spread fragment "A" within itself via "C". (1:31, 3:26)"#,
                #"Cannot spread fragment "C" within itself. (3:31)"#),
            RuleCase(
                """
                fragment A on Employee { ...B }
                fragment B on Employee { ...C }
                fragment C on Employee { ...B }
                """,
                #"Cannot spread fragment "B" within itself via "C". (2:26, 3:26)"#),
        ])
    func several(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
