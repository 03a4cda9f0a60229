import DuetGraphQL
import Testing

/// Section 3.13.3, "@deprecated".
@Suite("A rule for tools reports the uses of deprecated elements")
struct NoDeprecatedCustomRuleTests {
    private let testing = RuleTesting(.noDeprecatedCustom)

    @Test("Elements that are not deprecated are valid")
    func current() throws {
        try testing.expectValid(
            """
            {
              employees(order: SALARY, filter: {name: "a"}) { name }
              department(name: "b") { name @label(text: "c", color: RED) }
            }
            """)
    }

    @Test("Unknown elements are not errors of this rule")
    func unknown() throws {
        try testing.expectValid(
            """
            {
              nothing employees(order: NOTHING, filter: {nothing: 1}, nothing: 1) { nickname2: zzz }
              ... on Nothing { nickname }
            }
            """)
    }

    @Test("A deprecated field is an error with its reason")
    func fields() throws {
        try testing.expect(
            RuleCase(
                "{ employees { nickname short: nickname ... on Employee { nickname } } }",
                "The field Employee.nickname is deprecated. Use name. (1:15)",
                "The field Employee.nickname is deprecated. Use name. (1:24)",
                "The field Employee.nickname is deprecated. Use name. (1:58)"))
    }

    @Test("A deprecated argument of a field or of a directive is an error with its reason")
    func arguments() throws {
        try testing.expect(
            RuleCase(
                """
                query @label(text: "a", size: 1) { department(code: 1) { name @label(size: 2, text: "b") } }
                """,
                #"Directive "@label" argument "size" is deprecated. Use color. (1:25)"#,
                #"Field "Query.department" argument "code" is deprecated. Use name. (1:47)"#,
                #"Directive "@label" argument "size" is deprecated. Use color. (1:70)"#))
    }

    @Test("A deprecated input field without a reason is an error with the default reason")
    func inputFields() throws {
        try testing.expect(
            RuleCase(
                """
                query ($f: EmployeeFilter = {code: 1}) {
                  employees(filter: {name: "a", anyOf: [{code: 2}]}) { id }
                }
                """,
                "The input field EmployeeFilter.code is deprecated. No longer supported (1:30)",
                "The input field EmployeeFilter.code is deprecated. No longer supported (2:42)"))
    }

    @Test("A deprecated enum value is an error with its reason")
    func enumValues() throws {
        try testing.expect(
            RuleCase(
                "query ($o: Order = HIRED) { employees(order: HIRED) { id } count(any: HIRED) }",
                #"The enum value "Order.HIRED" is deprecated. Use SALARY. (1:20)"#,
                #"The enum value "Order.HIRED" is deprecated. Use SALARY. (1:46)"#))
    }
}
