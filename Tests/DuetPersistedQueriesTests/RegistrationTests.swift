import DuetPersistedDocuments
import DuetPersistedQueries
import Testing

@Suite("Documents as strings") struct RegistrationTests {
    @Test("A document that is registered as a string is found as a string, also through PersistedQueryStore")
    func strings() async throws {
        let queries = PersistedQueries(database: nil)
        let document = "{ greeting }"
        let hash = DocumentHash(of: document)
        #expect(await queries.document(hash) == nil)
        await queries.register(document, as: hash)
        let found: String? = await queries.document(hash)
        #expect(found == document)
        let store: any PersistedQueryStore = queries
        #expect(await store.document(hash) == document)
    }
}
