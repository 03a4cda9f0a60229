import DuetGraphQL
import Testing

/// Section 5.7.1, "Directives Are Defined", and section 5.7.2, "Directives Are in Valid Locations".
@Suite("Every directive must exist and have a valid location")
struct KnownDirectivesRuleTests {
    private let testing = RuleTesting(.knownDirectives)
    private let libraryTesting = TypeSystemRuleTesting(
        .knownDirectives,
        extending: """
            type Query { book: Book }
            type Book { title: String }
            directive @shelf(number: Int) on OBJECT | FIELD
            """)
    private let typeSystemTesting = TypeSystemRuleTesting(.knownDirectives)

    @Test(
        "Directives that the schema defines are valid in their locations",
        arguments: [
            """
            {
              employees @include(if: true) {
                name @skip(if: false) ... @include(if: true) { id } ...A @skip(if: true)
              }
            }
            fragment A on Employee { id }
            """,
            """
            query ($a: Int @label(text: "v")) @label(text: "q") {
              __typename @label(text: "f") ...A @label(text: "s")
            }
            fragment A on Query @label(text: "d") { ... on Query @label(text: "i") { __typename } }
            """,
            """
            mutation @label(text: "m") { batch { __typename } }
            subscription @label(text: "s") { moved { id } }
            """,
        ])
    func known(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("An unknown directive is an error")
    func unknown() throws {
        try testing.expect(
            RuleCase(
                """
                query ($a: Int @a) @b(x: $a) { employees @c { ... @d { name } ...F @e } }
                fragment F on Employee @Skip(if: true) { id }
                """,
                #"Unknown directive "@a". (1:16)"#,
                #"Unknown directive "@b". (1:20)"#,
                #"Unknown directive "@c". (1:42)"#,
                #"Unknown directive "@d". (1:51)"#,
                #"Unknown directive "@e". (1:68)"#,
                #"Unknown directive "@Skip". (2:24)"#))
    }

    @Test(
        "A directive in a location that its definition does not list is an error that names the location",
        arguments: [
            RuleCase(
                "query ($a: Int @include(if: true)) @skip(if: true) { __typename @deprecated }",
                #"Directive "@include" may not be used on VARIABLE_DEFINITION. (1:16)"#,
                #"Directive "@skip" may not be used on QUERY. (1:36)"#,
                #"Directive "@deprecated" may not be used on FIELD. (1:65)"#),
            RuleCase(
                """
                mutation @audited { batch { ... @oneOf { __typename } } }
                subscription @audited { moved { id ...A @specifiedBy(url: "a") } }
                fragment A on Employee @include(if: true) { id }
                """,
                #"Directive "@audited" may not be used on MUTATION. (1:10)"#,
                #"Directive "@oneOf" may not be used on INLINE_FRAGMENT. (1:33)"#,
                #"Directive "@audited" may not be used on SUBSCRIPTION. (2:14)"#,
                #"Directive "@specifiedBy" may not be used on FRAGMENT_SPREAD. (2:41)"#,
                #"Directive "@include" may not be used on FRAGMENT_DEFINITION. (3:24)"#),
        ])
    func misplaced(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A type-system document can use its own directives and the built-in directives")
    func ownDirectives() throws {
        try typeSystemTesting.expectValid(
            """
            schema @on { query: Query }
            type Query @on { a(b: Int @on @deprecated): Int @on @deprecated }
            interface I @on { a: Int @on }
            union U @on = Query
            enum E @on { A @on @deprecated }
            input O @on @oneOf { a: Int @on @deprecated }
            scalar S @on @specifiedBy(url: "a")
            extend type Query @on
            extend schema @on
            directive @on repeatable on SCHEMA | SCALAR | OBJECT | FIELD_DEFINITION | ARGUMENT_DEFINITION | INTERFACE
              | UNION | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION
            """)
    }

    @Test("A directive in an invalid type-system location is an error that names the location")
    func misplacedInTypeSystem() throws {
        try typeSystemTesting.expect(
            RuleCase(
                """
                schema @on { query: Query }
                type Query @on { a(b: Int @on): Int @on }
                interface I @on { a: Int }
                union U @on = Query
                enum E @on { A @on }
                input O @on { a: Int @on }
                scalar S @on
                directive @on on FIELD
                """,
                #"Directive "@on" may not be used on SCHEMA. (1:8)"#,
                #"Directive "@on" may not be used on OBJECT. (2:12)"#,
                #"Directive "@on" may not be used on ARGUMENT_DEFINITION. (2:27)"#,
                #"Directive "@on" may not be used on FIELD_DEFINITION. (2:37)"#,
                #"Directive "@on" may not be used on INTERFACE. (3:13)"#,
                #"Directive "@on" may not be used on UNION. (4:9)"#,
                #"Directive "@on" may not be used on ENUM. (5:8)"#,
                #"Directive "@on" may not be used on ENUM_VALUE. (5:16)"#,
                #"Directive "@on" may not be used on INPUT_OBJECT. (6:9)"#,
                #"Directive "@on" may not be used on INPUT_FIELD_DEFINITION. (6:22)"#,
                #"Directive "@on" may not be used on SCALAR. (7:10)"#))
    }

    @Test("An extension can use the directives of the schema that it extends")
    func extensions() throws {
        try libraryTesting.expect(
            RuleCase(
                "extend type Book @shelf { pages: Int @shelf author: String @wing }",
                #"Directive "@shelf" may not be used on FIELD_DEFINITION. (1:38)"#,
                #"Unknown directive "@wing". (1:60)"#))
    }
}
