import DuetGraphQL
import Testing

/// Section 3.3.1, "Root Operation Types".
@Suite("A schema must define at most one root type for each kind of operation")
struct UniqueOperationTypesRuleTests {
    private let testing = TypeSystemRuleTesting(.uniqueOperationTypes)
    private let libraryTesting = TypeSystemRuleTesting(
        .uniqueOperationTypes,
        extending: """
            schema { query: Library }
            type Library { name: String }
            """)

    @Test(
        "Each kind of operation can have one root type. Several kinds can have the same type",
        arguments: [
            """
            schema { query: Root mutation: Root }
            extend schema { subscription: Root }
            type Root { a: Int }
            """,
            "type Query { a: Int }",
        ])
    func unique(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("A repeated kind of operation is an error with the locations of the first and the repeated one")
    func repeated() throws {
        try testing.expect(
            RuleCase(
                """
                schema { query: Root mutation: Root query: Other mutation: Root query: Root }
                type Root { a: Int }
                type Other { a: Int }
                """,
                "There can be only one query type in schema. (1:10, 1:37)",
                "There can be only one mutation type in schema. (1:22, 1:50)",
                "There can be only one query type in schema. (1:10, 1:65)"))
    }

    @Test("The schema definition and its extensions are checked together")
    func extended() throws {
        try testing.expect(
            RuleCase(
                """
                schema { query: Root }
                extend schema { query: Root subscription: Root }
                extend schema { subscription: Root }
                type Root { a: Int }
                """,
                "There can be only one query type in schema. (1:10, 2:17)",
                "There can be only one subscription type in schema. (2:29, 3:17)"))
    }

    @Test("An extension of a schema can add the root types of other kinds of operations")
    func extensions() throws {
        try libraryTesting.expectValid(
            """
            extend schema { mutation: Changes }
            extend schema { subscription: Changes }
            type Changes { rename: String }
            """)
    }

    @Test("An extension of a schema cannot define a root type again")
    func redefined() throws {
        try libraryTesting.expect(
            RuleCase(
                """
                extend schema { query: Library mutation: Library }
                extend schema { mutation: Library }
                """,
                "Type for query already defined in the schema. It cannot be redefined. (1:17)",
                "There can be only one mutation type in schema. (1:32, 2:17)"))
    }
}
