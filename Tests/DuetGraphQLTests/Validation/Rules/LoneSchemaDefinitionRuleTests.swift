import DuetGraphQL
import Testing

/// Section 3.3, "Schema".
@Suite("A document must have at most one schema definition")
struct LoneSchemaDefinitionRuleTests {
    private let testing = TypeSystemRuleTesting(.loneSchemaDefinition)
    private let libraryTesting = TypeSystemRuleTesting(
        .loneSchemaDefinition,
        extending: """
            schema { query: Library }
            type Library { name: String }
            """)
    private let implicitTesting = TypeSystemRuleTesting(
        .loneSchemaDefinition,
        extending: "type Query { name: String }")

    @Test(
        "A document with one schema definition, or without a schema definition, is valid",
        arguments: [
            "schema { query: Root } type Root { a: Int }",
            "type Query { a: Int }",
            """
            extend schema @size
            extend schema { query: Root }
            type Root { a: Int }
            directive @size on SCHEMA
            """,
        ])
    func lone(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("Each schema definition after the first is an error")
    func several() throws {
        try testing.expect(
            RuleCase(
                """
                schema { query: Root }
                type Root { a: Int }
                schema { mutation: Root }
                schema { subscription: Root }
                """,
                "Must provide only one schema definition. (3:1)",
                "Must provide only one schema definition. (4:1)"))
    }

    @Test("A document that extends a schema can extend the schema definition")
    func extensions() throws {
        try libraryTesting.expectValid("extend schema { mutation: Changes } type Changes { rename: String }")
    }

    @Test("A document that extends a schema cannot contain another schema definition")
    func redefined() throws {
        try libraryTesting.expect(
            RuleCase(
                "schema { query: Library } schema { mutation: Library }",
                "Cannot define a new schema within a schema extension. (1:1)",
                "Cannot define a new schema within a schema extension. (1:27)"))
    }

    @Test("A schema with default root type names cannot be extended with a schema definition")
    func implicitlyDefined() throws {
        try implicitTesting.expect(
            RuleCase(
                "schema { query: Query }",
                "Cannot define a new schema within a schema extension. (1:1)"))
    }
}
