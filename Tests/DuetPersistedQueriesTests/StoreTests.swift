import DuetJSON
import DuetPersistedDocuments
import DuetPersistedQueries
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Registered documents in the store") struct StoreTests {
    @Test(
        "A document that one process registers is found by another process in the store, and later in its memory",
        arguments: TestBackend.available)
    func shared(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            try await withSecondDatabase(database) { second async throws in
                let (one, other) = (Process(database), Process(second))
                #expect(await other.find("{ a }") == nil)
                await one.register("{ a }")
                #expect(await other.find("{ a }") == "{ a }")
                #expect(await other.find("{ a }") == "{ a }")
                #expect(other.observations.lookups == [nil, .store, .memory])
                #expect(await one.find("{ a }") == "{ a }")
                #expect(one.observations.lookups == [.memory])
                #expect(one.observations.registrations == 1)
                one.expectNoFailure()
                other.expectNoFailure()
            }
        }
    }

    @Test(
        "The table is created in an empty database, and creating it again changes nothing",
        arguments: TestBackend.available)
    func createTable(backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database async throws in
            try await PersistedQueries.createTable(in: database)
            await Process(database).register("{ a }")
            try await PersistedQueries.createTable(in: database)
            let process = Process(database)
            #expect(await process.find("{ a }") == "{ a }")
            #expect(process.observations.lookups == [.store])
            process.expectNoFailure()
        }
    }

    @Test("When a registration returns, the document is in the database", arguments: TestBackend.available)
    func durable(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            await Process(database, clock: clock).register("{ a }")
            let hash = DocumentHash(of: "{ a }").description
            #expect(
                try await database.storedRows()
                    == [StoredRow(hash: hash, bytes: 5, usedAt: clock.now, isReused: false)])
        }
    }

    @Test(
        "Documents of any length and with any characters are read back unchanged",
        arguments: TestBackend.available,
        [
            "", " ", "{ a(b: \"\\\\ ' \\\" ` : ? :name\") }", "# caf\u{E9} cafe\u{301} \u{1F600} \u{10FFFF}\n{ a }",
            "{ a } \0 { b }\0",
            "# \u{FEFF}\u{FFFD}\r\n{ a }   ", String(repeating: "é{ field }", count: 256 * 1024 / 11),
        ])
    func texts(backend: TestBackend, text: String) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let (one, other) = (Process(database), Process(database))
            await one.register(text)
            let found = await other.queries.document(DocumentHash(of: text))
            #expect(found?.hasSameUTF8(as: text) == true)
            #expect(other.observations.lookups == [.store])
            other.expectNoFailure()
        }
    }

    @Test(
        "Several processes can register the same documents and different documents concurrently",
        arguments: TestBackend.available)
    func concurrent(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            try await withSecondDatabase(database) { second async throws in
                let processes = (0..<6).map { Process($0 % 2 == 0 ? database : second) }
                await withTaskGroup(of: Void.self) { tasks in
                    for process in processes {
                        for number in 0..<25 { tasks.addTask { await process.register("{ a\(number) }") } }
                    }
                }
                for process in processes { process.expectNoFailure() }
                #expect(try await database.storedRows().count == 25)
            }
        }
    }

    @Test(
        "A row whose text does not match its hash counts as missing, is reported, and is replaced by a registration",
        arguments: TestBackend.available)
    func damaged(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            await Process(database).register("{ a }")
            try await database.write { try $0.execute("UPDATE duet_persisted_queries SET document = '{ evil }'") }
            let process = Process(database)
            #expect(await process.find("{ a }") == nil)
            #expect(process.observations.lookups == [nil])
            let failure = try #require(process.observations.failures.first)
            #expect(failure.purpose == .lookup)
            #expect((failure.error as? DamagedDocumentError)?.hash == DocumentHash(of: "{ a }"))
            await process.register("{ a }")
            #expect(await Process(database).find("{ a }") == "{ a }")
        }
    }

    @Test(
        "A repeated registration writes nothing, unless the store has lost the document",
        arguments: TestBackend.available)
    func repeated(backend: TestBackend) async throws {
        let writes = StatementCounter("INSERT INTO duet_persisted_queries")
        try await TestDatabase.with(backend, observer: writes.observer) { database async throws in
            let clock = TestClock()
            let process = Process(database, clock: clock)
            for _ in 0..<5 {
                await process.register("{ a }")
                clock.advance(by: .seconds(10))
            }
            #expect(writes.count == 1)
            #expect(process.observations.registrations == 1)
            try await database.write { try $0.execute("DELETE FROM duet_persisted_queries") }
            await process.register("{ a }")
            #expect(try await database.hasRow(of: "{ a }"))
            process.expectNoFailure()
        }
    }

    @Test("Without a database, documents are stored only in memory")
    func memoryOnly() async {
        let (one, other) = (Process(nil), Process(nil))
        await one.register("{ a }")
        await one.queries.sweep()
        #expect(await one.find("{ a }") == "{ a }")
        #expect(await other.find("{ a }") == nil)
        #expect(one.queries.statistics.documents == 1)
        #expect(one.queries.statistics.unsaved == 0)
        #expect(one.observations.lookups == [.memory] && other.observations.lookups == [nil])
    }
}
