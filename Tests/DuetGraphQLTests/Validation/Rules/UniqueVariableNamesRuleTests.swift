import DuetGraphQL
import Testing

/// Section 5.8.1, "Variable Uniqueness".
@Suite("An operation must define each variable only once")
struct UniqueVariableNamesRuleTests {
    private let testing = RuleTesting(.uniqueVariableNames)

    @Test("Variables with different names are valid")
    func unique() throws {
        try testing.expectValid("query ($a: Int, $b: Int, $A: Int) { __typename }")
    }

    @Test("Two operations can define variables with the same name")
    func operations() throws {
        try testing.expectValid("query One($a: Int) { __typename } query Two($a: String) { __typename }")
    }

    @Test(
        "A repeated name is one error with the location of each definition",
        arguments: [
            RuleCase(
                "query ($a: Int, $a: String) { __typename }",
                #"There can be only one variable named "$a". (1:9, 1:18)"#),
            RuleCase(
                """
                query One($a: Int, $b: Int, $a: Int, $b: Int, $a: Int) { __typename }
                query Two($a: Int, $a: Int) { __typename }
                """,
                #"There can be only one variable named "$a". (1:12, 1:30, 1:48)"#,
                #"There can be only one variable named "$b". (1:21, 1:39)"#,
                #"There can be only one variable named "$a". (2:12, 2:21)"#),
        ])
    func repeated(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
