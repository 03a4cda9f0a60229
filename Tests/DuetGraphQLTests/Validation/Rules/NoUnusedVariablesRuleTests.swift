import DuetGraphQL
import Testing

/// Section 5.8.4, "All Variables Used".
@Suite("An operation must use the variables that it defines")
struct NoUnusedVariablesRuleTests {
    private let testing = RuleTesting(.noUnusedVariables)

    @Test(
        "A variable in an argument, an input object, a directive or a fragment of the operation is used",
        arguments: [
            "query ($id: ID!) { employee(id: $id) { name } }",
            """
            query ($a: String, $b: Float, $c: Boolean!, $d: String!) @label(text: $d) {
              employees(filter: {name: $a, anyOf: [{minimumSalary: $b}]}) { name ... @include(if: $c) { id } }
            }
            """,
            """
            query ($a: Int) { employees { ...One } }
            fragment One on Employee { ...Two }
            fragment Two on Employee { reports(first: $a) { id } }
            """,
            "query ($a: Int) { nothing(unknown: [$a]) }",
        ])
    func used(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "A variable that the operation does not use is an error",
        arguments: [
            RuleCase(
                "query ($a: Int) { __typename }",
                #"Variable "$a" is never used. (1:8)"#),
            RuleCase(
                "query Find($a: Int = 1, $id: ID!, $Id: [String!]!) { employee(id: $id) { name } }",
                #"Variable "$a" is never used in operation "Find". (1:12)"#,
                #"Variable "$Id" is never used in operation "Find". (1:35)"#),
        ])
    func unused(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A variable is an error if it is used only in fragments that the operation does not spread")
    func fragments() throws {
        try testing.expect(
            RuleCase(
                """
                query One($a: Int) { ...B } query Two($a: Int, $b: Int) { ...A }
                fragment A on Query { employees(first: $a) { id } }
                fragment B on Query { employees(first: $b) { id } }
                """,
                #"Variable "$a" is never used in operation "One". (1:11)"#,
                #"Variable "$b" is never used in operation "Two". (1:48)"#))
    }

    @Test("A use of a variable in another operation does not count")
    func otherOperation() throws {
        try testing.expect(
            RuleCase(
                "query One($id: ID!) { __typename } query Two($id: ID!) { employee(id: $id) { name } }",
                #"Variable "$id" is never used in operation "One". (1:11)"#))
    }
}
