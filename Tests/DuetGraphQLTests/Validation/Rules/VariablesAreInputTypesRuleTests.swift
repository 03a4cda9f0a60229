import DuetGraphQL
import Testing

/// Section 5.8.2, "Variables Are Input Types".
@Suite("The type of a variable must be an input type")
struct VariablesAreInputTypesRuleTests {
    private let testing = RuleTesting(.variablesAreInputTypes)

    @Test("Scalars, enums, input objects and lists of them are valid")
    func input() throws {
        try testing.expectValid(
            """
            query ($a: Int, $b: Currency!, $c: [EmployeeFilter!]!, $d: [[Anything]], $e: PersonKey) {
              __typename
            }
            """)
    }

    @Test("An unknown type is not an error of this rule")
    func unknown() throws {
        try testing.expectValid("query ($a: Nothing, $b: [Nothing!]!) { __typename }")
    }

    @Test(
        "A variable of an object, interface or union type is an error that names the complete type",
        arguments: [
            RuleCase(
                "query ($a: Employee, $b: [Person!]!, $c: SearchResult!) { __typename }",
                #"Variable "$a" cannot be non-input type "Employee". (1:12)"#,
                #"Variable "$b" cannot be non-input type "[Person!]!". (1:26)"#,
                #"Variable "$c" cannot be non-input type "SearchResult!". (1:42)"#),
            RuleCase(
                "mutation ($new: NewEmployee!, $root: __Schema) { hire(employee: $new) { id } }",
                #"Variable "$root" cannot be non-input type "__Schema". (1:38)"#),
        ])
    func output(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
