import DuetGraphQL
import Testing

/// Section 3.3, "Schema".
@Suite("The types of a schema must have different names")
struct UniqueTypeNamesRuleTests {
    private let testing = TypeSystemRuleTesting(.uniqueTypeNames)
    private let libraryTesting = TypeSystemRuleTesting(
        .uniqueTypeNames,
        extending: """
            type Query { book: Book }
            type Book { title: String }
            """)

    @Test("Types with different names, and several extensions of one type, are valid")
    func unique() throws {
        try testing.expectValid(
            """
            type Query { a: Int }
            extend type Query { b: Int }
            extend type Query { c: Int }
            scalar
            query
            enum Size { S }
            directive @Size on FIELD
            """)
    }

    @Test(
        "A repeated name is an error for all kinds of types",
        arguments: [
            RuleCase(
                "type Any { a: Int } scalar Any",
                #"There can be only one type named "Any". (1:6, 1:28)"#),
            RuleCase(
                """
                interface Any { a: Int }
                union Any = B
                type B { a: Int }
                enum Any { A }
                input Any { a: Int }
                """,
                #"There can be only one type named "Any". (1:11, 2:7)"#,
                #"There can be only one type named "Any". (1:11, 4:6)"#,
                #"There can be only one type named "Any". (1:11, 5:7)"#),
        ])
    func repeated(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A document that extends a schema can define and extend types")
    func extensions() throws {
        try libraryTesting.expectValid(
            """
            extend type Book { author: Author }
            type Author { name: String }
            extend type Book { pages: Int }
            """)
    }

    @Test("A type of the extended schema cannot be defined again")
    func redefined() throws {
        try libraryTesting.expect(
            RuleCase(
                """
                scalar Book
                type Author { a: Int }
                type Author { a: Int }
                """,
                """
                Type "Book" already exists in the schema. It cannot also be defined in this type definition. \
                (1:8)
                """,
                #"There can be only one type named "Author". (2:6, 3:6)"#))
    }
}
