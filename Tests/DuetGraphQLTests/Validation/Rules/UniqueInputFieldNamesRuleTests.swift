import DuetGraphQL
import Testing

/// Section 5.6.3, "Input Object Field Uniqueness".
@Suite("An input object must receive each field only once")
struct UniqueInputFieldNamesRuleTests {
    private let testing = RuleTesting(.uniqueInputFieldNames)

    @Test(
        "Different fields of one object, and equal fields of different objects, are valid",
        arguments: [
            """
            {
              employees(filter: {name: "a", department: "b", anyOf: [{name: "c"}, {name: "d", anyOf: [{name: "e"}]}]}) {
                id
              }
            }
            """,
            """
            query ($f: EmployeeFilter = {name: "a"}) {
              employees(filter: $f) @audited(by: {id: 1}) { id }
            }
            """,
        ])
    func unique(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "A repeated field is an error with the locations of the first and the repeated field",
        arguments: [
            RuleCase(
                #"{ employees(filter: {name: "a", name: "b"}) { id } }"#,
                #"There can be only one input field named "name". (1:22, 1:33)"#),
            RuleCase(
                "{ count(any: {a: 1, b: 2, a: 3, a: 4}) }",
                #"There can be only one input field named "a". (1:15, 1:27)"#,
                #"There can be only one input field named "a". (1:15, 1:33)"#),
        ])
    func repeated(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("Objects in lists, in objects, in directives and in default values are checked")
    func everywhere() throws {
        try testing.expect(
            RuleCase(
                """
                query ($f: EmployeeFilter = {name: "a", name: "b"}) {
                  employees(filter: {anyOf: [{name: "a"}, {code: 1, code: 2, anyOf: [{name: "c", name: "d"}]}]}) {
                    name @audited(by: {id: 1, id: 1})
                  }
                }
                """,
                #"There can be only one input field named "name". (1:30, 1:41)"#,
                #"There can be only one input field named "code". (2:44, 2:53)"#,
                #"There can be only one input field named "name". (2:71, 2:82)"#,
                #"There can be only one input field named "id". (3:24, 3:31)"#))
    }

    @Test("The default values and directives of a type-system document are checked")
    func typeSystem() throws {
        try TypeSystemRuleTesting(.uniqueInputFieldNames).expect(
            RuleCase(
                "type Query { a(b: In = {c: 1, c: 2}): Int @of(x: {y: 1, y: 2}) }",
                #"There can be only one input field named "c". (1:25, 1:31)"#,
                #"There can be only one input field named "y". (1:51, 1:57)"#))
    }
}
