import DuetGraphQL
import Testing

/// Section 3.4.3, "Type Extensions".
@Suite("An extended type must exist and must have the same kind as the extension")
struct PossibleTypeExtensionsRuleTests {
    private let testing = TypeSystemRuleTesting(.possibleTypeExtensions)
    private let libraryTesting = TypeSystemRuleTesting(
        .possibleTypeExtensions,
        extending: """
            type Query { book: Book }
            type Book { title: String }
            """)

    @Test("An extension is valid before and after the definition of its type")
    func sameKind() throws {
        try testing.expectValid(
            """
            extend scalar A @a
            extend type B { b: Int }
            extend interface C { b: Int }
            extend union D = B
            extend enum E { F }
            extend input G { b: Int }
            scalar A
            type B { a: Int }
            interface C { a: Int }
            union D = H
            enum E { E }
            input G { a: Int }
            type H { a: Int }
            extend scalar A @a
            extend type B { c: Int }
            extend interface C { c: Int }
            extend union D = B
            extend enum E { G }
            extend input G { c: Int }
            directive @a repeatable on SCALAR
            """)
    }

    @Test("An extension of an unknown type is an error that suggests similar names")
    func unknown() throws {
        try testing.expect(
            RuleCase(
                """
                type Book { title: String }
                extend type Bok { pages: Int }
                extend scalar Moment @a
                extend enum book { A }
                """,
                #"Cannot extend type "Bok" because it is not defined. Did you mean "Book"? (2:13)"#,
                #"Cannot extend type "Moment" because it is not defined. (3:15)"#,
                #"Cannot extend type "book" because it is not defined. Did you mean "Book"? (4:13)"#))
    }

    @Test("An extension of the wrong kind is an error with the locations of the definition and the extension")
    func otherKind() throws {
        try testing.expect(
            RuleCase(
                """
                scalar A
                type B { a: Int }
                interface C { a: Int }
                union D = B
                enum E { E }
                input G { a: Int }
                extend type A { a: Int }
                extend interface B { a: Int }
                extend union C = B
                extend enum D { E }
                extend input E { a: Int }
                extend scalar G @a
                """,
                #"Cannot extend non-object type "A". (1:1, 7:1)"#,
                #"Cannot extend non-interface type "B". (2:1, 8:1)"#,
                #"Cannot extend non-union type "C". (3:1, 9:1)"#,
                #"Cannot extend non-enum type "D". (4:1, 10:1)"#,
                #"Cannot extend non-input object type "E". (5:1, 11:1)"#,
                #"Cannot extend non-scalar type "G". (6:1, 12:1)"#))
    }

    @Test("A type of the extended schema can be extended")
    func extensions() throws {
        try libraryTesting.expectValid("extend type Book { pages: Int } extend type Query { pages: Int }")
    }

    @Test("An extension of the wrong kind for a type of the extended schema is an error")
    func existing() throws {
        try libraryTesting.expect(
            RuleCase(
                """
                extend interface Book { a: Int }
                extend type Boook { a: Int }
                extend enum Author { A }
                type Author { a: Int }
                """,
                #"Cannot extend non-interface type "Book". (1:1)"#,
                #"Cannot extend type "Boook" because it is not defined. Did you mean "Book"? (2:13)"#,
                #"Cannot extend non-enum type "Author". (4:1, 3:1)"#))
    }
}
