import DuetGraphQL
import Testing

/// Section 5.4.2, "Argument Uniqueness".
@Suite("A field or directive must receive each argument only once")
struct UniqueArgumentNamesRuleTests {
    private let testing = RuleTesting(.uniqueArgumentNames)

    @Test(
        "Different arguments of one field, and equal arguments of different fields, are valid",
        arguments: [
            """
            {
              employee(id: 1, includeFormer: true) { name @label(text: "a", color: RED) }
              other: employee(id: 1) { id }
            }
            """,
            #"{ employees(filter: {name: "a", name: "b"}) @include(if: true) @skip(if: true) { id } }"#,
        ])
    func unique(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "A repeated argument of a field is one error with the location of each occurrence",
        arguments: [
            RuleCase(
                "{ employee(id: 1, id: 2) { salary(currency: EUR, currency: EUR, currency: EUR) } }",
                #"There can be only one argument named "id". (1:12, 1:19)"#,
                #"There can be only one argument named "currency". (1:35, 1:50, 1:65)"#),
            RuleCase(
                "{ nothing(a: 1, b: 1, b: 2, a: 2) }",
                #"There can be only one argument named "a". (1:11, 1:29)"#,
                #"There can be only one argument named "b". (1:17, 1:23)"#),
        ])
    func field(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A repeated argument of a directive is an error")
    func directive() throws {
        try testing.expect(
            RuleCase(
                #"query @label(text: "a", text: "b") { __typename @include(if: true, if: true) }"#,
                #"There can be only one argument named "text". (1:14, 1:25)"#,
                #"There can be only one argument named "if". (1:58, 1:68)"#))
    }

    @Test("A repeated argument among many arguments is found")
    func many() throws {
        try testing.expect(
            RuleCase(
                "{ nothing(a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, d: 2) }",
                #"There can be only one argument named "d". (1:29, 1:71)"#))
    }

    @Test("A repeated argument of a directive in a type-system document is an error")
    func typeSystem() throws {
        try TypeSystemRuleTesting(.uniqueArgumentNames).expect(
            RuleCase(
                #"type Query { a: Int @deprecated(reason: "b", reason: "c") }"#,
                #"There can be only one argument named "reason". (1:33, 1:46)"#))
    }
}
