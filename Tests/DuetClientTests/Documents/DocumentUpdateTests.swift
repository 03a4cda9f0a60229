import DuetClient
import DuetJSON
import Testing

@Suite("Updates with GraphQL documents")
struct DocumentUpdateTests {
    private struct Search: DocumentQuery {
        struct Item: Codable, Hashable, Sendable {
            let id: String
            var name: String?
            var title: String?
        }
        struct Data: Codable, Hashable, Sendable {
            var items: [Item]
            var note: String?
        }
        static let source = """
            { items { id ... on Person { name nickname } ... on Company { title } } note }
            """
    }

    /// Returns a store with a person and a company. ``Search/Item`` does not contain their `__typename`.
    private static func store() async throws -> GraphQLStore {
        let store = GraphQLStore(policies: CachePolicies(keyFields: ["Person": ["id"], "Company": ["id"]]))
        try await store.withinReadWriteTransaction { transaction in
            try transaction.write(
                [
                    "items": [
                        ["__typename": "Person", "id": "1", "name": "A", "nickname": "a"],
                        ["__typename": "Company", "id": "2", "title": "B"],
                    ],
                    "note": "x",
                ], for: Search())
        }
        return store
    }

    private static func read(_ store: GraphQLStore) async throws -> CachedResult<Search.Data> {
        try await store.withinReadTransaction { transaction in try transaction.read(Search()) }
    }

    @Test("If an update reorders a list, each object retains its __typename and the fields that the Swift type omits")
    func places() async throws {
        let store = try await Self.store()
        try await store.withinReadWriteTransaction { transaction in
            try transaction.update(Search()) { data in
                data.items.swapAt(0, 1)
                data.items[0].title = "C"
                data.items[1].name = nil
                data.note = nil
            }
            #expect(try transaction.fields(ofObject: "Person:1")?["name"] == .null)
            #expect(try transaction.fields(ofObject: "Person:1")?["nickname"] == "a")
        }
        let result = try await Self.read(store)
        #expect(result.isComplete)
        #expect(
            result.data
                == Search.Data(
                    items: [Search.Item(id: "2", title: "C"), Search.Item(id: "1")], note: nil))
    }

    @Test("Appending an object of unknown type to a list of several types is an error and changes nothing")
    func addedObject() async throws {
        let store = try await Self.store()
        let before = try await Self.read(store).data
        let error = await #expect(throws: StoreError.self) {
            try await store.withinReadWriteTransaction { transaction in
                try transaction.update(Search()) { $0.items.append(Search.Item(id: "3", name: "C")) }
            }
        }
        guard case .model(let error) = error else { throw try #require(error) }
        #expect(
            "\(error)"
                == "items[2]: The type of this new object is not known. Select __typename in the document and encode it."
        )
        #expect(try await Self.read(store).data == before)
    }

    @Test("Updating a query whose fields are not cached is an error")
    func incomplete() async throws {
        let error = await #expect(throws: StoreError.self) {
            try await GraphQLStore().withinReadWriteTransaction { transaction in
                try transaction.update(Search()) { $0.note = "y" }
            }
        }
        guard case .model(let error) = error else { throw try #require(error) }
        #expect(error.code == .missing)
        #expect(
            error.message == "The cache does not have all fields of the query. Fetch the query before the update.")
    }
}
