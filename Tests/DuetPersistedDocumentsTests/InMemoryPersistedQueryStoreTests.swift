import DuetPersistedDocuments
import Testing

@Suite("In-memory document store")
struct InMemoryPersistedQueryStoreTests {
    @Test("A registered document is found by its hash with unchanged bytes")
    func found() {
        let store = InMemoryPersistedQueryStore()
        let document = "# caf\u{E9} cafe\u{301}\n{ a }"
        #expect(store.document(DocumentHash(of: document)) == nil)
        store.register(document, as: DocumentHash(of: document))
        #expect(store.document(DocumentHash(of: document)).map { Array($0.utf8) } == Array(document.utf8))
        #expect(store.document(named: "a") == nil)
    }

    @Test("New documents do not evict a document that was used after its registration, and memory is limited")
    func bounded() {
        let store = InMemoryPersistedQueryStore(maximumBytes: 10_000)
        let used = "{ used }"
        store.register(used, as: DocumentHash(of: used))
        #expect(store.document(DocumentHash(of: used)) == used)
        let others = (0..<1_000).map { "{ a\($0) }" }
        for document in others { store.register(document, as: DocumentHash(of: document)) }
        #expect(store.document(DocumentHash(of: used)) == used)
        let found = others.filter { store.document(DocumentHash(of: $0)) != nil }
        #expect((1..<100).contains(found.count))
    }

    @Test("A document that is larger than the store is not stored")
    func tooLarge() {
        let store = InMemoryPersistedQueryStore(maximumBytes: 1_000)
        let large = String(repeating: "a ", count: 1_000)
        store.register(large, as: DocumentHash(of: large))
        #expect(store.document(DocumentHash(of: large)) == nil)
    }
}
