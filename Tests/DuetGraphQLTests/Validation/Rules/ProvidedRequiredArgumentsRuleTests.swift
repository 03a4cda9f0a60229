import DuetGraphQL
import Testing

/// Section 5.4.3, "Required Arguments".
@Suite("Every required argument of a field or directive must be provided")
struct ProvidedRequiredArgumentsRuleTests {
    private let testing = RuleTesting(.providedRequiredArguments)

    @Test(
        "A field or directive with its required arguments and without its optional arguments is valid",
        arguments: [
            #"{ employee(id: 1) { salary } group(name: "A") { name } count }"#,
            """
            {
              employee(includeFormer: true, id: null) {
                name @include(if: $undefined) @label(text: "a")
              }
            }
            """,
        ])
    func provided(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("An argument with a default value is optional, even if its type is non-null")
    func defaultValue() throws {
        try testing.expectValid("{ employees(order: NAME) { reports { id } } }")
    }

    @Test("An unknown field or directive has no required arguments")
    func unknown() throws {
        try testing.expectValid("{ nothing { more } employees @nothing { id } }")
    }

    @Test(
        "An omitted required argument of a field is an error that names the type of the argument",
        arguments: [
            RuleCase(
                "{ employee { name } other: employee(id: 1) { name } }",
                #"Field "employee" argument "id" of type "ID!" is required, but it was not provided. (1:3)"#),
            RuleCase(
                "mutation { move { id } batch { again: batch { move(ids: []) { id } } } }",
                #"Field "move" argument "ids" of type "[ID!]!" is required, but it was not provided. (1:12)"#,
                """
                Field "move" argument "department" of type "String!" is required, but it was not provided. \
                (1:12)
                """,
                """
                Field "move" argument "department" of type "String!" is required, but it was not provided. \
                (1:47)
                """),
        ])
    func field(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("An error inside a field precedes the error of the field")
    func inside() throws {
        try testing.expect(
            RuleCase(
                "{ employee { name @skip } }",
                """
                Directive "@skip" argument "if" of type "Boolean!" is required, but it was not provided. (1:19)
                """,
                #"Field "employee" argument "id" of type "ID!" is required, but it was not provided. (1:3)"#))
    }

    @Test("An omitted required argument of a directive is an error")
    func directive() throws {
        try testing.expect(
            RuleCase(
                "query @label { employees @include { name @label(color: RED) @audited } }",
                """
                Directive "@label" argument "text" of type "String!" is required, but it was not provided. (1:7)
                """,
                """
                Directive "@include" argument "if" of type "Boolean!" is required, but it was not provided. \
                (1:26)
                """,
                """
                Directive "@label" argument "text" of type "String!" is required, but it was not provided. \
                (1:42)
                """))
    }
}
