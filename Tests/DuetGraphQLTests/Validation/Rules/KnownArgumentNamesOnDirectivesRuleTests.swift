import DuetGraphQL
import Testing

/// Section 5.4.1, "Argument Names".
@Suite("Every argument of a directive in a type-system document must exist")
struct KnownArgumentNamesOnDirectivesRuleTests {
    private let testing = TypeSystemRuleTesting(.knownArgumentNamesOnDirectives)
    private let libraryTesting = TypeSystemRuleTesting(
        .knownArgumentNamesOnDirectives,
        extending: """
            type Query { book: Book }
            type Book { title: String }
            directive @shelf(number: Int) on OBJECT
            """)

    @Test(
        "The arguments of the document's own directives and of built-in directives are valid",
        arguments: [
            """
            type Query { a: Int @deprecated(reason: "b") @size(height: 1, width: 2) }
            directive @size(width: Int, height: Int) on FIELD_DEFINITION
            """,
            #"scalar Date @specifiedBy(url: "https://example.com/date")"#,
        ])
    func known(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("An unknown directive is not an error of this rule")
    func unknown() throws {
        try testing.expectValid("type Query { a: Int @nothing(x: 1) }")
    }

    @Test(
        "An unknown argument is an error that suggests similar names",
        arguments: [
            RuleCase(
                #"type Query { a: Int @deprecated(raeson: "b") b: Int @deprecated(zzz: 1, reason: "c") }"#,
                #"Unknown argument "raeson" on directive "@deprecated". Did you mean "reason"? (1:33)"#,
                #"Unknown argument "zzz" on directive "@deprecated". (1:65)"#),
            RuleCase(
                """
                type Query @size(hight: 1) { a(b: Int @size(depth: 1)): Int }
                directive @size(width: Int, height: Int) on OBJECT | ARGUMENT_DEFINITION
                """,
                #"Unknown argument "hight" on directive "@size". Did you mean "height" or "width"? (1:18)"#,
                #"Unknown argument "depth" on directive "@size". Did you mean "width"? (1:45)"#),
        ])
    func unknown(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A directive definition in the document replaces the built-in definition")
    func redefined() throws {
        try testing.expect(
            RuleCase(
                """
                type Query { a: Int @deprecated(since: 1) b: Int @deprecated(reason: "c") }
                directive @deprecated(since: Int) on FIELD_DEFINITION
                """,
                #"Unknown argument "reason" on directive "@deprecated". (1:62)"#))
    }

    @Test("An extension can use the directives of the schema that it extends")
    func extensions() throws {
        try libraryTesting.expect(
            RuleCase(
                """
                extend type Book @shelf(number: 1) { pages: Int }
                extend type Query @shelf(numbr: 1)
                """,
                #"Unknown argument "numbr" on directive "@shelf". Did you mean "number"? (2:26)"#))
    }

    @Test("In an executable document, the rule checks only the arguments of directives")
    func executable() throws {
        try RuleTesting(.knownArgumentNamesOnDirectives).expect(
            RuleCase(
                "{ employee(idd: 1) { name @include(iff: true) } }",
                #"Unknown argument "iff" on directive "@include". Did you mean "if"? (1:36)"#))
    }
}
