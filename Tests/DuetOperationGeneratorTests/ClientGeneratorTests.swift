import DuetGraphQL
import DuetJSON
import DuetOperationGenerator
import DuetPersistedDocuments
import Testing

@Suite("Generated Swift code")
struct ClientGeneratorTests {
    private static let schema = """
        type Query { item(id: ID, kind: Kind): Item other: Item tags: [String] }
        type Subscription { ticks: Int }
        enum Kind { ONE TWO }
        type Item { id: ID! size: Int next: Item kind: Kind }
        """

    private func output(
        _ documents: [String], schema: String = schema, _ options: GeneratorOptions = GeneratorOptions()
    ) throws -> ClientGenerator.Output {
        let schema = try SchemaSource.schema(Source(schema)).get()
        let check = DocumentCheck(documents.enumerated().map { Source(Array($1.utf8), name: "\($0).graphql") })
        try #require(check.findings(against: schema).map(\.description) == [])
        return try ClientGenerator(check, schema: schema, options: options).generate()
    }

    private func messages(_ documents: String...) throws -> [String] {
        do {
            _ = try output(documents)
            return []
        } catch let error as GenerationFindings {
            return error.findings.map { String($0.description.prefix { !$0.isNewline }) }
        }
    }

    @Test("The order of files and definitions does not change the generated file")
    func stable() throws {
        let parts = [
            "query B { other { ...F } }", "query A($kind: Kind) { item(kind: $kind) { ...G ...F } }",
            "fragment F on Item { id }", "fragment G on Item { size }",
        ]
        let expected = try output(parts).source
        #expect(try output(parts.reversed()).source == expected)
        #expect(try output([parts.joined(separator: "\n")]).source == expected)
    }

    @Test("Only the enumerations that documents use are generated")
    func usedTypes() throws {
        #expect(try !output(["query A { item { id } }"]).source.contains("enum Kind"))
        #expect(try output(["query A { item { kind } }"]).source.contains("enum Kind: GraphQLEnumeration"))
        #expect(try output(["query A($k: Kind) { item(kind: $k) { id } }"]).source.contains("enum Kind"))
        #expect(try !output(["query A { tags }"]).source.contains("enum"))
    }

    @Test("Generated code has the access level, the namespace and the imports of the options")
    func settings() throws {
        var options = GeneratorOptions()
        options.accessLevel = .public
        options.namespace = "API"
        options.imports = ["Shapes"]
        options.scalars = ["ID": "Shapes.ItemID", "Kind": "MyKind"]
        let source = try output(["query A($id: ID) { item(id: $id) { id kind } }"], options).source
        #expect(source.contains("public import DuetClient\npublic import Shapes\n"))
        #expect(
            source.contains(
                "\npublic enum API {\n    /// The query `A`.\n    public struct AQuery: GraphQLQuery, Hashable {"))
        #expect(source.contains("public var id: Shapes.ItemID?"))
        #expect(source.contains("public var kind: MyKind?"))
        #expect(!source.contains("enum Kind"))
    }

    @Test("A nested type that would hide another type gets another name")
    func hiddenTypes() throws {
        let source = try output([
            "query A { kind: item { kind } string: item { id } itemParts: other { ...ItemParts } } fragment ItemParts on Item { id }"
        ]).source
        #expect(source.contains("struct KindObject: DataDecodable"))
        #expect(source.contains("struct StringObject: DataDecodable"))
        #expect(source.contains("struct ItemPartsObject: DataDecodable"))
    }

    @Test("An operation whose name already ends with its kind retains its name")
    func suffix() throws {
        #expect(try output(["query ItemQuery { tags }"]).source.contains("struct ItemQuery: GraphQLQuery"))
        #expect(try output(["query item { tags }"]).source.contains("struct ItemQuery: GraphQLQuery"))
    }

    @Test("The generator adds __typename to selections of interfaces, and the manifest has the changed document")
    func typeNames() throws {
        let schema = "interface Node { id: ID! } type A implements Node { id: ID! } type Query { node: Node a: A }"
        let result = try output(["query Q { node { id ... on A { id } } a { ... on Node { id } } }"], schema: schema)
        let text = """
            query Q {
              node {
                __typename
                id
                ... on A {
                  id
                }
              }
              a {
                ... on Node {
                  id
                }
              }
            }
            """
        #expect(result.manifest.operations.map(\.document) == [text])
        #expect(result.source.contains(result.manifest.operations[0].id))
    }

    @Test("The option listsFields generates a protocol with typed fields for each object type")
    func fieldLists() throws {
        var options = GeneratorOptions()
        options.listsFields = true
        let source = try output([], options).source
        #expect(source.contains("\nprotocol ItemFields: DataDecodable {}\n"))
        #expect(
            source.contains(
                """
                extension ItemFields {
                    /// The GraphQL type of the object.
                    static var typeName: String? { "Item" }
                    /// The field `id`.
                    static var id: TypedField<String> { TypedField("id") }
                """))
        #expect(
            source.contains(
                """
                    static func item<Model: DataDecodable>(
                        _ model: Model.Type = Model.self,
                        id: ArgumentValue? = nil,
                        kind: ArgumentValue? = nil
                    ) -> TypedField<Model?> {
                        TypedField("item", arguments: [("id", id), ("kind", kind)])
                    }
                """))
    }

    @Test("A construct that Swift types cannot express is an error with its location")
    func findings() throws {
        #expect(
            try messages("{ tags }") == [
                "0.graphql:1:1: error: This operation has no name; the generated Swift type requires a name, such as: query Name { … }"
            ])
        #expect(
            try messages("subscription S { ticks }") == [
                "0.graphql:1:1: error: DuetClient creates subscriptions from queries, so no type is generated for this operation. Write a query, and request its results with live(_:)."
            ])
        #expect(
            try messages("query Kind { item { ...KindQuery } } fragment KindQuery on Item { id }") == [
                "0.graphql:1:7: error: The Swift type KindQuery of the query Kind conflicts with the fragment KindQuery. Rename one of them."
            ])
        #expect(
            try messages("query A($a: Boolean!, $b: Boolean!) { tags @include(if: $a) tags @skip(if: $b) }") == [
                "0.graphql:1:61: error: The field tags is selected under different conditions. Select it once, or without conditions."
            ])
        #expect(
            try messages(
                "query A($a: Boolean!) { other { ...F id @skip(if: $a) } item { ...F } }",
                "fragment F on Item { next { ...G } } fragment G on Item { id @skip(if: false) }") == [])
    }

    @Test("A fragment with a variable that two operations declare with different types is an error")
    func fragmentVariables() throws {
        let schema = "type Query { item: Item } type Item { size(of: Int): Int }"
        let error = #expect(throws: GenerationFindings.self) {
            _ = try output(
                [
                    "query A($n: Int) { item { ...F } } query B($n: Int!) { item { ...F } }",
                    "fragment F on Item { size(of: $n) }",
                ], schema: schema)
        }
        #expect(
            error?.findings.map(\.message) == [
                "The variable $n of the fragment F has the type Int in A and the type Int! in B. Declare the same type in both operations."
            ])
    }
}
