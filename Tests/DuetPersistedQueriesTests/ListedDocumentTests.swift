import DuetPersistedDocuments
import DuetPersistedQueries
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Documents of a manifest") struct ListedDocumentTests {
    private static let hello = "query Hello { hello }"
    private static let bye = "mutation Bye { bye }"

    private static func manifest() throws -> PersistedQueryManifest {
        var manifest = PersistedQueryManifest()
        for (id, document) in [("hello-1", hello), (DocumentHash(of: bye).description, bye)] {
            try manifest.add(
                PersistedQueryManifest.Operation(id: id, document: document), from: "manifest.json")
        }
        return manifest
    }

    @Test("Documents of a manifest are found without a database, and are not expired, evicted or registered")
    func listed() async throws {
        let clock = TestClock()
        let process = Process(nil, clock: clock, manifest: try Self.manifest()) { $0.maximumMemory = 10_000 }
        await process.register(Self.hello)
        for number in 0..<100 { await process.register("{ a\(number) }") }
        clock.advance(by: .seconds(1_000 * 24 * 60 * 60))
        await process.queries.sweep()
        process.observations.clear()
        #expect(await process.find(Self.hello) == Self.hello)
        #expect(process.queries.document(named: "hello-1") == Self.hello)
        #expect(process.queries.document(named: "hello-9") == nil)
        #expect(process.queries.isListed(DocumentHash(of: Self.bye)))
        #expect(!process.queries.isListed(DocumentHash(of: "{ a1 }")))
        #expect(process.queries.isListed(Self.bye) && !process.queries.isListed("{ a1 }"))
        #expect(process.observations.lookups == [.manifest, .manifest, nil])
        #expect(process.queries.statistics.listed == 2 && process.queries.statistics.documents == 0)
    }

    @Test(
        "A document of a manifest is found without a request to the store, even if the store is unavailable",
        arguments: TestBackend.available)
    func withoutStore(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let process = Process(database, manifest: try Self.manifest())
            await database.close()
            #expect(await process.find(Self.bye) == Self.bye)
            await process.register(Self.bye)
            process.expectNoFailure()
            #expect(process.observations.registrations == 0)
        }
    }
}
