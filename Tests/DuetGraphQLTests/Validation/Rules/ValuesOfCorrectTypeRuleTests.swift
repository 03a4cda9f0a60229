import DuetGraphQL
import Testing

/// Section 5.6.1, "Values of Correct Type", section 5.6.2, "Input Object Field Names", and section 5.6.4, "Input
/// Object Required Fields".
@Suite("Every value must have the type of its position")
struct ValuesOfCorrectTypeRuleTests {
    private let testing = RuleTesting(.valuesOfCorrectType)

    @Test(
        "Each built-in scalar accepts the literals of its type",
        arguments: [
            #"{ count(int: 2147483647, float: 1.5e3, string: "a", boolean: false, id: "x") }"#,
            "{ count(int: -2147483648, float: 12345678901, boolean: true, id: 12345678901234567890) }",
            #"""
            { count(string: """a "b" c""") }
            """#,
        ])
    func scalars(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("The literal null is valid in a nullable position")
    func nulls() throws {
        try testing.expectValid(
            """
            {
              count(int: null, kind: null, list: null, matrix: [null, [null]], date: null, any: null)
              person(key: {id: "a"}) { name }
            }
            """)
    }

    @Test(
        "A list literal, and a single item in the place of a list, are valid",
        arguments: [
            "{ count(list: [1, 2], matrix: [[1], [], [2, 3]]) }",
            #"{ count(list: 1, matrix: 2) search(text: "a", kinds: PERSON) { __typename } }"#,
            "{ count(list: [], matrix: [1, [2]]) }",
        ])
    func lists(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "An input object with its required fields is valid",
        arguments: [
            """
            mutation {
              hire(employee: {name: "a", department: "b", skills: "c", manager: {inGroup: {name: "d"}}}) {
                id
              }
            }
            """,
            """
            {
              employees(filter: {currency: CHF, anyOf: [{}, {anyOf: {name: "a"}}], code: 1}, order: SALARY) {
                id
              }
            }
            """,
        ])
    func objects(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("The type of a variable is not checked by this rule")
    func variables() throws {
        try testing.expectValid(
            """
            query ($a: Int) {
              count(int: $a, list: [1, $a], boolean: $a)
              employees(filter: {name: $a, anyOf: [$a]}) { id }
            }
            """)
    }

    @Test("A value in a position of an unknown type is not checked")
    func unknown() throws {
        try testing.expectValid(
            "{ nothing(a: [ZZZ, {b: null}]) count(nothing: 1.5) employees @nothing(a: NULL) { id } }")
    }

    @Test("A custom scalar without a literal parser accepts any value")
    func customScalar() throws {
        try testing.expectValid(
            """
            {
              a: count(any: {a: [1, "b", C, {d: null, d: 1}]}) b: count(any: [1.5, true])
              c: count(any: X)
            }
            """)
    }

    @Test(
        "A value of the type Int must be a 32-bit integer",
        arguments: [
            RuleCase(
                #"{ count(int: "1") }"#,
                #"Int cannot represent non-integer value: "1" (1:14)"#),
            RuleCase(
                """
                {
                  count(int: 1.0) b: count(int: true) c: count(int: ONE) d: count(int: [1])
                  e: count(int: {a: 1})
                }
                """,
                "Int cannot represent non-integer value: 1.0 (2:14)",
                "Int cannot represent non-integer value: true (2:33)",
                "Int cannot represent non-integer value: ONE (2:53)",
                "Int cannot represent non-integer value: [1] (2:72)",
                "Int cannot represent non-integer value: {a: 1} (3:17)"),
            RuleCase(
                "{ count(int: 2147483648) b: count(int: -2147483649) }",
                "Int cannot represent non 32-bit signed integer value: 2147483648 (1:14)",
                "Int cannot represent non 32-bit signed integer value: -2147483649 (1:40)"),
        ])
    func integers(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A value of the type Float must be a number")
    func floats() throws {
        try testing.expect(
            RuleCase(
                #"{ count(float: "1.5") b: count(float: true) c: count(float: PI) }"#,
                #"Float cannot represent non numeric value: "1.5" (1:16)"#,
                "Float cannot represent non numeric value: true (1:39)",
                "Float cannot represent non numeric value: PI (1:61)"))
    }

    @Test("A value of the type String must be a string literal")
    func strings() throws {
        try testing.expect(
            RuleCase(
                """
                {
                  count(string: 1) b: count(string: 1.5) c: count(string: true) d: count(string: abc)
                  e: count(string: ["a"])
                }
                """,
                "String cannot represent a non string value: 1 (2:17)",
                "String cannot represent a non string value: 1.5 (2:37)",
                "String cannot represent a non string value: true (2:59)",
                "String cannot represent a non string value: abc (2:82)",
                #"String cannot represent a non string value: ["a"] (3:20)"#))
    }

    @Test("A value of the type Boolean must be true or false")
    func booleans() throws {
        try testing.expect(
            RuleCase(
                """
                {
                  count(boolean: 0) b: count(boolean: "true") c: count(boolean: TRUE)
                  employees @include(if: 1) { id }
                }
                """,
                "Boolean cannot represent a non boolean value: 0 (2:18)",
                #"Boolean cannot represent a non boolean value: "true" (2:39)"#,
                "Boolean cannot represent a non boolean value: TRUE (2:65)",
                "Boolean cannot represent a non boolean value: 1 (3:26)"))
    }

    @Test("A value of the type ID must be a string or an integer")
    func identifiers() throws {
        try testing.expect(
            RuleCase(
                "{ count(id: 1.0) b: count(id: true) c: employee(id: ID) { name } }",
                "ID cannot represent a non-string and non-integer value: 1.0 (1:13)",
                "ID cannot represent a non-string and non-integer value: true (1:31)",
                "ID cannot represent a non-string and non-integer value: ID (1:53)"))
    }

    @Test(
        "An invalid enum value is an error that suggests similar names",
        arguments: [
            RuleCase(
                "{ employees(order: SALRY) { salary(currency: GBPOUND) } }",
                """
                Value "SALRY" does not exist in "Order" enum. Did you mean the enum value "SALARY"? (1:20)
                """,
                #"Value "GBPOUND" does not exist in "Currency" enum. (1:46)"#),
            RuleCase(
                """
                {
                  employees(order: "SALARY") { salary(currency: 1) }
                  search(text: "a", kinds: [PERSON, person, true]) { __typename }
                }
                """,
                """
                Enum "Order" cannot represent non-enum value: "SALARY". Did you mean the enum value "SALARY"? \
                (2:20)
                """,
                #"Enum "Currency" cannot represent non-enum value: 1. (2:49)"#,
                """
                Value "person" does not exist in "Kind" enum. Did you mean the enum value "PERSON"? (3:37)
                """,
                #"Enum "Kind" cannot represent non-enum value: true. (3:45)"#),
        ])
    func enums(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("The literal null in a non-null position is an error")
    func nonNull() throws {
        try testing.expect(
            RuleCase(
                """
                {
                  employee(id: null) { name } employees(first: null, filter: {currency: null}) { id }
                  count(list: [1, null])
                }
                """,
                #"Expected value of type "ID!", found null. (2:16)"#,
                #"Expected value of type "Int!", found null. (2:48)"#,
                #"Expected value of type "Currency!", found null. (2:73)"#,
                #"Expected value of type "Int!", found null. (3:19)"#))
    }

    @Test("Each item of a list must have the item type")
    func items() throws {
        try testing.expect(
            RuleCase(
                """
                { count(list: [1, "2", 3, 4.5]) b: count(matrix: [[1, true], "a"]) c: count(list: [[1]]) }
                """,
                #"Int cannot represent non-integer value: "2" (1:19)"#,
                "Int cannot represent non-integer value: 4.5 (1:27)",
                "Int cannot represent non-integer value: true (1:55)",
                #"Int cannot represent non-integer value: "a" (1:62)"#,
                "Int cannot represent non-integer value: [1] (1:84)"))
    }

    @Test(
        "A list or object in a position of another type is one error, regardless of its contents",
        arguments: [
            RuleCase(
                #"{ count(int: [[1], "a", {b: [C]}], string: {a: [[1], 2], b: 3}, list: {a: 1}) }"#,
                #"Int cannot represent non-integer value: [[1], "a", {b: [C]}] (1:14)"#,
                "String cannot represent a non string value: {a: [[1], 2], b: 3} (1:44)",
                "Int cannot represent non-integer value: {a: 1} (1:71)"),
            RuleCase(
                "{ employees(filter: [{name: 1}, {nothing: [2], name: 3}], order: [NOTHING]) { id } }",
                """
                Expected value of type "EmployeeFilter", found [{name: 1}, {nothing: [2], name: 3}]. (1:21)
                """,
                #"Enum "Order" cannot represent non-enum value: [NOTHING]. (1:66)"#),
        ])
    func outermost(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "The value of an input object type must be an object with values of the correct types",
        arguments: [
            RuleCase(
                """
                {
                  employees(filter: "name") { id } b: employees(filter: [{name: "a"}]) { id }
                  c: employees(filter: {anyOf: NAME}) { id }
                }
                """,
                #"Expected value of type "EmployeeFilter", found "name". (2:21)"#,
                #"Expected value of type "EmployeeFilter", found [{name: "a"}]. (2:57)"#,
                #"Expected value of type "[EmployeeFilter!]", found NAME. (3:32)"#),
            RuleCase(
                """
                {
                  employees(filter: {name: 1, anyOf: [{minimumSalary: "a", anyOf: {department: A}}]}) { id }
                }
                """,
                "String cannot represent a non string value: 1 (2:28)",
                #"Float cannot represent non numeric value: "a" (2:55)"#,
                "String cannot represent a non string value: A (2:80)"),
        ])
    func objects(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("An omitted required field of an input object is an error that points to the object")
    func required() throws {
        try testing.expect(
            RuleCase(
                """
                mutation {
                  hire(employee: {name: "a"}) { id } b: hire(employee: {manager: {inGroup: {}}}) { id }
                }
                """,
                #"Field "NewEmployee.department" of required type "String!" was not provided. (2:18)"#,
                #"Field "NewEmployee.name" of required type "String!" was not provided. (2:56)"#,
                #"Field "NewEmployee.department" of required type "String!" was not provided. (2:56)"#,
                #"Field "NewGroup.name" of required type "String!" was not provided. (2:76)"#))
    }

    @Test("An unknown field of an input object is an error that suggests similar names")
    func unknownFields() throws {
        try testing.expect(
            RuleCase(
                #"{ employees(filter: {nam: "a", zzzzzz: {b: 1}, anyOf: [{departmnt: 1}]}) { id } }"#,
                #"Field "nam" is not defined by type "EmployeeFilter". Did you mean "name"? (1:22)"#,
                #"Field "zzzzzz" is not defined by type "EmployeeFilter". (1:32)"#,
                """
                Field "departmnt" is not defined by type "EmployeeFilter". Did you mean "department"? (1:57)
                """))
    }

    @Test(
        "A OneOf Input Object with one non-null field is valid",
        arguments: [
            """
            {
              a: person(key: {id: 1}) { name } b: person(key: {email: "a"}) { name }
              c: person(key: {inGroup: {name: "a"}}) { name }
            }
            """,
            "query ($a: String) { person(key: {email: $a}) { name } }",
        ])
    func oneOf(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "A OneOf Input Object without a field, with several fields or with null is an error",
        arguments: [
            RuleCase(
                """
                {
                  a: person(key: {}) { name } b: person(key: {id: 1, email: "a"}) { name }
                  c: person(key: {id: null}) { name }
                }
                """,
                #"OneOf Input Object "PersonKey" must specify exactly one key. (2:18)"#,
                #"OneOf Input Object "PersonKey" must specify exactly one key. (2:46)"#,
                #"Field "PersonKey.id" must be non-null. (3:18)"#),
            RuleCase(
                """
                {
                  a: person(key: {id: true}) { name } b: person(key: {id: 1, email: null}) { name }
                  c: person(key: {idd: 1}) { name }
                }
                """,
                "ID cannot represent a non-string and non-integer value: true (2:23)",
                #"OneOf Input Object "PersonKey" must specify exactly one key. (2:54)"#,
                #"Field "idd" is not defined by type "PersonKey". Did you mean "id"? (3:19)"#),
        ])
    func invalidOneOf(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("The default value of a variable must have the type of the variable")
    func defaults() throws {
        try testing.expect(
            RuleCase(
                """
                query (
                  $a: Int = "1", $b: [Currency!]! = [EUR, null], $c: EmployeeFilter = {name: true}, $d: String! = null,
                  $e: NewGroup = {}
                ) { __typename }
                """,
                #"Int cannot represent non-integer value: "1" (2:13)"#,
                #"Expected value of type "Currency!", found null. (2:43)"#,
                "String cannot represent a non string value: true (2:78)",
                #"Expected value of type "String!", found null. (2:99)"#,
                #"Field "NewGroup.name" of required type "String!" was not provided. (3:18)"#))
    }

    @Test("The arguments of directives must have the correct types")
    func directives() throws {
        try testing.expect(
            RuleCase(
                """
                query @label(text: 1) {
                  employees @audited(by: {id: 1.5}) { id @label(text: "a", color: Red) }
                }
                """,
                "String cannot represent a non string value: 1 (1:20)",
                "ID cannot represent a non-string and non-integer value: 1.5 (2:31)",
                #"Value "Red" does not exist in "Color" enum. Did you mean the enum value "RED"? (2:67)"#))
    }

    @Test(
        "The error message contains the error that the parser of a custom scalar throws",
        arguments: [
            RuleCase(
                #"{ count(date: "today") b: count(date: "2024-02-29") c: count(date: 2024) }"#,
                "A date has the format YYYY-MM-DD. (1:15)", "A date has the format YYYY-MM-DD. (1:68)"),
            RuleCase(
                "{ count(weekday: [1, 2]) b: count(weekday: MONDAY) c: count(weekday: {a: 1}) }",
                #"Expected value of type "Weekday", found [1, 2]; notText (1:18)"#,
                #"Expected value of type "Weekday", found {a: 1}; notText (1:70)"#),
        ])
    func customScalars(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A value that is nested too deeply is one error")
    func deep() throws {
        let value = String(repeating: "[", count: 65) + "ZZZ" + String(repeating: "]", count: 65)
        try testing.expect(
            RuleCase("{ count(list: \(value)) }", "Value is nested more than 64 levels deep. (1:15)"))
    }

    @Test("Suggestions can be disabled")
    func withoutSuggestions() throws {
        let errors = try testing.errors(
            in: #"{ employees(order: SALRY, filter: {nam: "a"}) { salary(currency: "EUR") } }"#, suggestsNames: false)
        #expect(
            errors == [
                #"Value "SALRY" does not exist in "Order" enum. (1:20)"#,
                #"Field "nam" is not defined by type "EmployeeFilter". (1:36)"#,
                #"Enum "Currency" cannot represent non-enum value: "EUR". (1:66)"#,
            ])
    }
}
