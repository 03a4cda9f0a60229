import DuetGraphQL
import Testing

/// Section 5.8.5, "All Variable Usages Are Allowed".
@Suite("The type of a variable must be valid in each position of the variable")
struct VariablesInAllowedPositionRuleTests {
    private let testing = RuleTesting(.variablesInAllowedPosition)

    @Test(
        "A variable with the type of the position, or with a stricter type, is valid",
        arguments: [
            """
            query ($a: Int, $b: Int!, $c: [Int!], $d: [Int!]!) {
              a: count(int: $a, list: $c) b: count(int: $b, list: $d)
            }
            """,
            """
            query ($a: [[Int!]!]!, $b: ID!, $c: Boolean!) {
              count(matrix: $a) employee(id: $b) { name @include(if: $c) }
            }
            """,
            """
            query ($a: EmployeeFilter, $b: [EmployeeFilter!]!, $c: String!) {
              a: employees(filter: $a) { id } b: employees(filter: {anyOf: $b, name: $c}) { id }
            }
            """,
        ])
    func sameType(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("A nullable variable with a default value is valid in a non-null position")
    func variableDefault() throws {
        try testing.expectValid("query ($a: ID = 1, $b: Boolean = true) { employee(id: $a) { name @skip(if: $b) } }")
    }

    @Test("A nullable variable is valid in a non-null position that has a default value")
    func positionDefault() throws {
        try testing.expectValid(
            """
            query ($a: Int, $b: Currency, $c: Boolean) {
              employees(first: $a, filter: {currency: $b}) { id }
              employee(id: 1, includeFormer: $c) { id }
            }
            """)
    }

    @Test("A variable is valid as an item of a list if it has the item type")
    func items() throws {
        try testing.expectValid("query ($a: Int!, $b: Int, $c: [Int]) { count(list: [1, $a], matrix: [[$b], $c]) }")
    }

    @Test("Undefined variables, unknown types and unknown positions are not errors of this rule")
    func unknown() throws {
        try testing.expectValid(
            "query ($a: Nothing, $b: Int) { count(int: $a, string: $c, nothing: $b) nothing(x: $b) }")
    }

    @Test(
        "A variable of a wrong type is an error with the locations of the definition and the use",
        arguments: [
            RuleCase(
                "query ($a: String) { count(int: $a) }",
                #"Variable "$a" of type "String" used in position expecting type "Int". (1:8, 1:33)"#),
            RuleCase(
                """
                query ($a: Int!, $b: Kind, $c: String) {
                  count(float: $a, kind: $c) employees(order: $b) { id }
                }
                """,
                #"Variable "$a" of type "Int!" used in position expecting type "Float". (1:8, 2:16)"#,
                #"Variable "$c" of type "String" used in position expecting type "Kind". (1:28, 2:26)"#,
                #"Variable "$b" of type "Kind" used in position expecting type "Order". (1:18, 2:47)"#),
        ])
    func otherType(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "A nullable variable is an error in a non-null position if neither of them has a default value",
        arguments: [
            RuleCase(
                "query ($a: ID, $b: Boolean) { employee(id: $a) { name @include(if: $b) } }",
                #"Variable "$a" of type "ID" used in position expecting type "ID!". (1:8, 1:44)"#,
                #"Variable "$b" of type "Boolean" used in position expecting type "Boolean!". (1:16, 1:68)"#),
            RuleCase(
                #"mutation ($a: String) { hire(employee: {name: $a, department: "b"}) { id } }"#,
                #"Variable "$a" of type "String" used in position expecting type "String!". (1:11, 1:47)"#),
        ])
    func nullability(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A nullable variable with the default value null is an error in a non-null position")
    func nullDefault() throws {
        try testing.expect(
            RuleCase(
                "query ($a: ID = null) { employee(id: $a) { name } }",
                #"Variable "$a" of type "ID" used in position expecting type "ID!". (1:8, 1:38)"#))
    }

    @Test("A variable of a wrong type or a wrong item type is an error, even with a default value")
    func wrongDefault() throws {
        try testing.expect(
            RuleCase(
                #"query ($a: String = "1", $b: [Int] = [1]) { employee(id: $a) { name } count(list: $b) }"#,
                #"Variable "$a" of type "String" used in position expecting type "ID!". (1:8, 1:58)"#,
                #"Variable "$b" of type "[Int]" used in position expecting type "[Int!]". (1:26, 1:83)"#))
    }

    @Test(
        "A variable is an error if its type has more or fewer list levels than the type of the position",
        arguments: [
            RuleCase(
                "query ($a: Int!, $b: [Int], $c: [Int!]!) { count(list: $a, matrix: $b, int: $c) }",
                #"Variable "$a" of type "Int!" used in position expecting type "[Int!]". (1:8, 1:56)"#,
                #"Variable "$b" of type "[Int]" used in position expecting type "[[Int]]". (1:18, 1:68)"#,
                #"Variable "$c" of type "[Int!]!" used in position expecting type "Int". (1:29, 1:77)"#),
            RuleCase(
                "query ($a: Int, $b: [Int]) { count(list: [$a, $b]) }",
                #"Variable "$a" of type "Int" used in position expecting type "Int!". (1:8, 1:43)"#,
                #"Variable "$b" of type "[Int]" used in position expecting type "Int!". (1:17, 1:47)"#),
        ])
    func lists(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A variable in an input object must have the type of its input field")
    func inputFields() throws {
        try testing.expect(
            RuleCase(
                """
                query ($a: Int, $b: String!) {
                  employees(filter: {name: $a, anyOf: [{anyOf: [$b], minimumSalary: $b}]}) { id }
                }
                """,
                #"Variable "$a" of type "Int" used in position expecting type "String". (1:8, 2:28)"#,
                """
                Variable "$b" of type "String!" used in position expecting type "EmployeeFilter!". (1:17, 2:49)
                """,
                #"Variable "$b" of type "String!" used in position expecting type "Float". (1:17, 2:69)"#))
    }

    @Test("A variable in a fragment is checked in each operation that uses the fragment")
    func fragments() throws {
        try testing.expect(
            RuleCase(
                """
                query One($n: Int) { employees { ...A } }
                query Two($n: String) { employees { ...A } }
                query Three($n: [Int]) { employees { ... { ...A } } }
                fragment A on Employee { manager { ...B } }
                fragment B on Employee { reports(first: $n) { id } }
                """,
                #"Variable "$n" of type "String" used in position expecting type "Int". (2:11, 5:41)"#,
                #"Variable "$n" of type "[Int]" used in position expecting type "Int". (3:13, 5:41)"#))
    }

    @Test("A non-null variable is valid for a field of a OneOf Input Object")
    func oneOf() throws {
        try testing.expectValid(
            """
            query ($a: ID!, $b: String! = "a") {
              a: person(key: {id: $a}) { name } b: person(key: {email: $b}) { name }
            }
            """)
    }

    @Test("A nullable variable for a field of a OneOf Input Object is an error, even with a default value")
    func nullableOneOf() throws {
        try testing.expect(
            RuleCase(
                """
                query ($a: ID, $b: String = "a", $c: Int) {
                  a: person(key: {id: $a}) { name } b: person(key: {email: $b}) { name }
                  c: person(key: {email: $c}) { name }
                }
                """,
                """
                Variable "$a" is of type "ID" but must be non-nullable to be used for OneOf Input Object \
                "PersonKey". (1:8, 2:23)
                """,
                """
                Variable "$b" is of type "String" but must be non-nullable to be used for OneOf Input Object \
                "PersonKey". (1:16, 2:60)
                """,
                #"Variable "$c" of type "Int" used in position expecting type "String". (1:34, 3:26)"#,
                """
                Variable "$c" is of type "Int" but must be non-nullable to be used for OneOf Input Object \
                "PersonKey". (1:34, 3:26)
                """))
    }
}
