import DuetGraphQL
import Testing

/// Section 3.6.1, "Field Arguments", and section 3.13, "Directives".
@Suite("A field or directive must define each argument only once")
struct UniqueArgumentDefinitionNamesRuleTests {
    private let testing = TypeSystemRuleTesting(.uniqueArgumentDefinitionNames)

    @Test("Different arguments of one field, and equal arguments of different fields, are valid")
    func unique() throws {
        try testing.expectValid(
            """
            type A { a(x: Int, X: Int, y: Int): Int b(x: Int): Int c: Int }
            directive @d(x: Int, y: Int) on FIELD
            """)
    }

    @Test(
        "A repeated argument is one error with the location of each definition",
        arguments: [
            RuleCase(
                "type A { a(x: Int, y: Int, x: String, x: Int): Int b(x: Int): Int }",
                #"Argument "A.a(x:)" can only be defined once. (1:12, 1:28, 1:39)"#),
            RuleCase(
                "interface A { a(x: Int, y: Int, y: Int, x: Int): Int }",
                #"Argument "A.a(x:)" can only be defined once. (1:17, 1:41)"#,
                #"Argument "A.a(y:)" can only be defined once. (1:25, 1:33)"#),
        ])
    func repeated(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("The fields of extensions are checked")
    func extensions() throws {
        try testing.expect(
            RuleCase(
                "extend type A { a(x: Int, x: Int): Int } extend interface B { b(x: Int, x: Int): Int }",
                #"Argument "A.a(x:)" can only be defined once. (1:19, 1:27)"#,
                #"Argument "B.b(x:)" can only be defined once. (1:65, 1:73)"#))
    }

    @Test("The arguments of directives are checked")
    func directives() throws {
        try testing.expect(
            RuleCase(
                "directive @d(x: Int, y: Int, x: Int) on FIELD",
                #"Argument "@d(x:)" can only be defined once. (1:14, 1:30)"#))
    }
}
