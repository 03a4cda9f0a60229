import DuetGraphQL
import Testing

/// Section 3.6, "Objects", section 3.7, "Interfaces", and section 3.10, "Input Objects".
@Suite("A type must define each field only once")
struct UniqueFieldDefinitionNamesRuleTests {
    private let testing = TypeSystemRuleTesting(.uniqueFieldDefinitionNames)
    private let libraryTesting = TypeSystemRuleTesting(
        .uniqueFieldDefinitionNames,
        extending: """
            type Query { book(by: Key): Book }
            interface Item { shelf: Int }
            type Book implements Item { shelf: Int title: String }
            input Key { title: String }
            """)

    @Test("Different fields of one type, and equal fields of different types, are valid")
    func unique() throws {
        try testing.expectValid(
            """
            type A { a: Int A: Int b: Int }
            interface B { a: Int }
            input C { a: Int }
            extend type A { c: Int }
            extend input C { c: Int }
            """)
    }

    @Test(
        "A repeated field is an error with the locations of the first and the repeated definition",
        arguments: [
            RuleCase(
                "type A { a: Int b: Int a: String a: Int }",
                #"Field "A.a" can only be defined once. (1:10, 1:24)"#,
                #"Field "A.a" can only be defined once. (1:10, 1:34)"#),
            RuleCase(
                "interface A { a: Int a: Int } input B { a: Int a: Int }",
                #"Field "A.a" can only be defined once. (1:15, 1:22)"#,
                #"Field "B.a" can only be defined once. (1:41, 1:48)"#),
        ])
    func repeated(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("The fields of a type and of its extensions are checked together")
    func extended() throws {
        try testing.expect(
            RuleCase(
                """
                type A { a: Int }
                extend type A { a: Int b: Int }
                extend type A { b: Int }
                extend input C { c: Int }
                input C { c: Int }
                """,
                #"Field "A.a" can only be defined once. (1:10, 2:17)"#,
                #"Field "A.b" can only be defined once. (2:24, 3:17)"#,
                #"Field "C.c" can only be defined once. (4:18, 5:11)"#))
    }

    @Test("An extension can add other fields")
    func extensions() throws {
        try libraryTesting.expectValid(
            """
            extend type Book { pages: Int }
            extend interface Item { name: String }
            extend input Key { shelf: Int }
            """)
    }

    @Test("An extension cannot repeat a field of a type in the extended schema")
    func existing() throws {
        try libraryTesting.expect(
            RuleCase(
                """
                extend type Book { title: String pages: Int }
                extend type Book { pages: Int }
                extend interface Item { shelf: Int }
                extend input Key { title: ID }
                """,
                """
                Field "Book.title" already exists in the schema. It cannot also be defined in this type \
                extension. (1:20)
                """,
                #"Field "Book.pages" can only be defined once. (1:34, 2:20)"#,
                """
                Field "Item.shelf" already exists in the schema. It cannot also be defined in this type \
                extension. (3:25)
                """,
                """
                Field "Key.title" already exists in the schema. It cannot also be defined in this type \
                extension. (4:20)
                """))
    }
}
