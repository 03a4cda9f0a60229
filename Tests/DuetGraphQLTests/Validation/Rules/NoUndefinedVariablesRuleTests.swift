import DuetGraphQL
import Testing

/// Section 5.8.3, "All Variable Uses Defined".
@Suite("An operation must define the variables that it uses")
struct NoUndefinedVariablesRuleTests {
    private let testing = RuleTesting(.noUndefinedVariables)

    @Test(
        "Variables that the operation defines are valid",
        arguments: [
            "query ($id: ID!) { employee(id: $id) { name } }",
            """
            query ($a: String, $b: Float, $c: Boolean!) {
              employees(filter: {name: $a, anyOf: [{minimumSalary: $b}]}) { name @include(if: $c) }
            }
            """,
            """
            query ($a: Int) { employees { ...One } }
            fragment One on Employee { ...Two }
            fragment Two on Employee { reports(first: $a) { id } }
            """,
            """
            query One($a: Int) { ...All }
            query Two($a: Int) { ...All }
            fragment All on Query { employees(first: $a) { id } }
            """,
        ])
    func defined(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("A variable in a fragment that no operation spreads is not checked")
    func unreached() throws {
        try testing.expectValid("{ __typename } fragment A on Employee { reports(first: $nothing) { id } }")
    }

    @Test(
        "A use of an undefined variable is an error that points to the use and the operation",
        arguments: [
            RuleCase(
                "{ employee(id: $id) { name } }",
                #"Variable "$id" is not defined. (1:16, 1:1)"#),
            RuleCase(
                "query Find($ID: ID!) { employee(id: $id) { name @include(if: $on) } }",
                #"Variable "$id" is not defined by operation "Find". (1:37, 1:1)"#,
                #"Variable "$on" is not defined by operation "Find". (1:62, 1:1)"#),
            RuleCase(
                """
                query Find($a: Int) @label(text: $b) {
                  employees(filter: {name: $b, anyOf: [{name: $c}]}) { id }
                }
                """,
                #"Variable "$b" is not defined by operation "Find". (1:34, 1:1)"#,
                #"Variable "$b" is not defined by operation "Find". (2:28, 1:1)"#,
                #"Variable "$c" is not defined by operation "Find". (2:47, 1:1)"#),
        ])
    func undefined(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("Each operation that uses a fragment must define the variables of the fragment")
    func fragments() throws {
        try testing.expect(
            RuleCase(
                """
                query One($a: Int) { ...All }
                query Two { ...All }
                query Three($b: Int) { ... { ...All } }
                fragment All on Query { employees { ...Reports } }
                fragment Reports on Employee { reports(first: $a) { id } }
                """,
                #"Variable "$a" is not defined by operation "Two". (5:47, 2:1)"#,
                #"Variable "$a" is not defined by operation "Three". (5:47, 3:1)"#))
    }

    @Test("A variable that only another operation defines is an error")
    func otherOperation() throws {
        try testing.expect(
            RuleCase(
                """
                query One($id: ID!) { employee(id: $id) { name } }
                query Two { employee(id: $id) { name } }
                """,
                #"Variable "$id" is not defined by operation "Two". (2:26, 2:1)"#))
    }

    @Test("The variables of fragments in a cycle are reported once")
    func cycle() throws {
        try testing.expect(
            RuleCase(
                """
                { employees { ...A } }
                fragment A on Employee { manager { ...B } } fragment B on Employee { reports(first: $n) { ...A } }
                """,
                #"Variable "$n" is not defined. (2:85, 1:1)"#))
    }
}
