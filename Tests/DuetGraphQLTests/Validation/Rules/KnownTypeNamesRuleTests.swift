import DuetGraphQL
import Testing

/// Section 5.5.1.2, "Fragment Spread Type Existence"; section 3.3 for type-system documents.
@Suite("Every type that a document refers to must exist")
struct KnownTypeNamesRuleTests {
    private let testing = RuleTesting(.knownTypeNames)
    private let libraryTesting = TypeSystemRuleTesting(
        .knownTypeNames,
        extending: """
            type Query { book: Book }
            type Book { title: String }
            """)
    private let typeSystemTesting = TypeSystemRuleTesting(.knownTypeNames)

    @Test(
        "The types of the schema and the built-in types are known",
        arguments: [
            "query ($id: ID!, $kinds: [Kind!], $key: PersonKey) { ... on Query { __typename } }",
            """
            fragment A on Person { name }
            fragment B on SearchResult { __typename }
            fragment C on __Type { name }
            """,
        ])
    func known(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "An unknown type is an error that suggests similar names",
        arguments: [
            RuleCase(
                "query ($f: EmployeFilter, $when: [Moment!]!) { employees { ... on Manger { name } } }",
                #"Unknown type "EmployeFilter". Did you mean "EmployeeFilter" or "Employee"? (1:12)"#,
                #"Unknown type "Moment". (1:35)"#,
                #"Unknown type "Manger". (1:67)"#),
            RuleCase(
                "fragment A on Contracter { name }",
                #"Unknown type "Contracter". Did you mean "Contractor"? (1:15)"#),
            RuleCase(
                "query ($a: Orde) { __typename }",
                #"Unknown type "Orde". Did you mean "Order"? (1:12)"#),
        ])
    func unknown(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("Suggestions can be disabled")
    func withoutSuggestions() throws {
        let errors = try testing.errors(in: "fragment A on Contracter { name }", suggestsNames: false)
        #expect(errors == [#"Unknown type "Contracter". (1:15)"#])
    }

    @Test("A type-system document can refer to its own types, in any order, and to built-in types")
    func ownTypes() throws {
        try typeSystemTesting.expectValid(
            """
            schema { query: Root }
            type Root implements Named { name: String kinds(of: [Size!] = [S], at: Place): Found meta: __Type }
            interface Named { name: String }
            union Found = Root
            enum Size { S L }
            input Place { floor: Int! }
            extend input Place { desk: ID }
            directive @at(place: Place) on FIELD
            """)
    }

    @Test("An extension can refer to its own types and to the types of the extended schema")
    func extensions() throws {
        try libraryTesting.expect(
            RuleCase(
                """
                extend type Book { author: Author sequel: Book copies: [Copy!] }
                type Author { books: [Bok] }
                """,
                #"Unknown type "Copy". (1:57)"#,
                #"Unknown type "Bok". Did you mean "Book"? (2:23)"#))
    }
}
