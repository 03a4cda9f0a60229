import DuetGraphQL
import Testing

/// Section 3.3, "Schema".
@Suite("The directives of a schema must have different names")
struct UniqueDirectiveNamesRuleTests {
    private let testing = TypeSystemRuleTesting(.uniqueDirectiveNames)
    private let libraryTesting = TypeSystemRuleTesting(
        .uniqueDirectiveNames,
        extending: """
            type Query { book: String }
            directive @shelf on FIELD
            """)

    @Test("Directives with different names, or with the name of a type, are valid")
    func unique() throws {
        try testing.expectValid("directive @a on FIELD directive @A on FIELD directive @B on FIELD type B { a: Int }")
    }

    @Test("A document can define a built-in directive again")
    func specified() throws {
        try testing.expectValid(
            """
            directive @skip(if: Boolean!) on FIELD
            directive @deprecated on FIELD_DEFINITION
            type Query { a: Int }
            """)
    }

    @Test("A repeated name is an error with the locations of the first and the repeated definition")
    func repeated() throws {
        try testing.expect(
            RuleCase(
                """
                directive @a on FIELD
                directive @b on FIELD
                directive @a(x: Int) on QUERY
                directive @a on FIELD
                """,
                #"There can be only one directive named "@a". (1:12, 3:12)"#,
                #"There can be only one directive named "@a". (1:12, 4:12)"#))
    }

    @Test("A schema extension cannot define an existing directive or a built-in directive again")
    func redefined() throws {
        try libraryTesting.expect(
            RuleCase(
                "directive @shelf on FIELD directive @wing on FIELD directive @include on FIELD",
                #"Directive "@shelf" already exists in the schema. It cannot be redefined. (1:12)"#,
                #"Directive "@include" already exists in the schema. It cannot be redefined. (1:63)"#))
    }
}
