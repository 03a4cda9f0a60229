import DuetGraphQL
import Testing

/// Section 5.4.3, "Required Arguments".
@Suite("Every required argument of a directive in a type-system document must be provided")
struct ProvidedRequiredArgumentsOnDirectivesRuleTests {
    private let testing = TypeSystemRuleTesting(.providedRequiredArgumentsOnDirectives)
    private let libraryTesting = TypeSystemRuleTesting(
        .providedRequiredArgumentsOnDirectives,
        extending: """
            type Query { book: Book }
            type Book { title: String }
            directive @shelf(number: Int!) on OBJECT
            """)

    @Test("A directive with its required arguments and without its optional arguments is valid")
    func provided() throws {
        try testing.expectValid(
            """
            type Query @size(width: 1) { a: Int @deprecated }
            directive @size(width: Int!, height: Int, unit: String! = "m") on OBJECT
            """)
    }

    @Test("An unknown directive has no required arguments")
    func unknown() throws {
        try testing.expectValid("type Query @nothing { a: Int }")
    }

    @Test("A directive definition in the document replaces the built-in definition")
    func redefined() throws {
        try testing.expectValid("scalar Date @specifiedBy directive @specifiedBy(url: String) on SCALAR")
    }

    @Test(
        "An omitted required argument is an error that names the type of the argument",
        arguments: [
            RuleCase(
                """
                type Query @size(height: 1) { a(b: [Int!]! @size(width: 1)): Int @size }
                directive @size(width: Int!, height: Int, all: [Int!]!) on
                  | OBJECT | ARGUMENT_DEFINITION | FIELD_DEFINITION
                """,
                """
                Directive "@size" argument "width" of type "Int!" is required, but it was not provided. (1:12)
                """,
                """
                Directive "@size" argument "all" of type "[Int!]!" is required, but it was not provided. (1:12)
                """,
                """
                Directive "@size" argument "all" of type "[Int!]!" is required, but it was not provided. (1:44)
                """,
                """
                Directive "@size" argument "width" of type "Int!" is required, but it was not provided. (1:66)
                """,
                """
                Directive "@size" argument "all" of type "[Int!]!" is required, but it was not provided. (1:66)
                """),
            RuleCase(
                "scalar Date @specifiedBy",
                """
                Directive "@specifiedBy" argument "url" of type "String!" is required, but it was not provided. \
                (1:13)
                """),
        ])
    func omitted(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("An extension can use the directives of the schema that it extends")
    func extensions() throws {
        try libraryTesting.expect(
            RuleCase(
                """
                extend type Book @shelf(number: 1) { pages: Int }
                extend type Query @shelf
                """,
                """
                Directive "@shelf" argument "number" of type "Int!" is required, but it was not provided. (2:19)
                """))
    }

    @Test("In an executable document, the rule checks only the arguments of directives")
    func executable() throws {
        try RuleTesting(.providedRequiredArgumentsOnDirectives).expect(
            RuleCase(
                "{ employee { name @include } }",
                #"Directive "@include" argument "if" of type "Boolean!" is required, but it was not provided. (1:19)"#))
    }
}
