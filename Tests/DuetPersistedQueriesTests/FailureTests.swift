import Dispatch
import DuetPersistedDocuments
import DuetPersistedQueries
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("A failing store") struct FailureTests {
    @Test(
        "While the store fails, only documents in memory are found, and new documents are registered in memory",
        arguments: TestBackend.available)
    func closed(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let process = Process(database)
            await process.register("{ before }")
            await database.close()
            #expect(await process.find("{ before }") == "{ before }")
            #expect(await process.find("{ other }") == nil)
            await process.register("{ after }")
            #expect(await process.find("{ after }") == "{ after }")
            #expect(process.observations.lookups == [.memory, nil, .memory])
            #expect(process.observations.failures.map(\.purpose) == [.lookup, .registration])
            #expect(process.observations.failures.allSatisfy { ($0.error as? DatabaseError)?.code == .closed })
            #expect(process.queries.statistics.unsaved == 1)
            await process.queries.sweep()
            #expect(process.observations.failures.map(\.purpose).suffix(2) == [.flush, .sweep])
            #expect(process.queries.statistics.unsaved == 1)
        }
    }

    @Test(
        "Registrations and uses during a failure are stored when the store is available again",
        arguments: TestBackend.available)
    func recovers(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let process = Process(database, clock: clock)
            await process.register("{ before }")
            try await database.write {
                try $0.executeScript("ALTER TABLE duet_persisted_queries RENAME TO duet_away")
            }
            await process.register("{ after }")
            clock.advance(by: .seconds(5))
            _ = await process.find("{ before }")
            await process.queries.flush()
            #expect(process.observations.failures.map(\.purpose) == [.registration, .flush])
            #expect(process.queries.statistics.unsaved == 1)
            try await database.write {
                try $0.executeScript("ALTER TABLE duet_away RENAME TO duet_persisted_queries")
            }
            await process.queries.flush()
            #expect(process.queries.statistics.unsaved == 0)
            let rows = try await database.storedRows()
            #expect(rows.count == 2)
            #expect(rows.first { $0.hash == DocumentHash(of: "{ before }").description }?.usedAt == clock.now)
            #expect(await Process(database, clock: clock).find("{ after }") == "{ after }")
        }
    }

    @Test(
        "If the store does not respond, a lookup and a registration end at the timeout and leave the pool's queue",
        arguments: TestBackend.available)
    func hanging(backend: TestBackend) async throws {
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.createsMissingFile = true
        configuration.acquireTimeout = .seconds(600)
        try await TestDatabase.with(backend, configuration: configuration) { database async throws in
            let process = Process(database) { $0.storeTimeout = .milliseconds(50) }
            // The only connection is in use. Without the store timeout, each operation would wait for the connection
            // for 10 minutes.
            try await database.holdingConnection { release async throws in
                #expect(await process.find("{ a }") == nil)
                await process.register("{ a }")
                #expect(await process.find("{ a }") == "{ a }")
                #expect(process.observations.failures.map(\.purpose) == [.lookup, .registration])
                for failure in process.observations.failures {
                    #expect((failure.error as? DatabaseError)?.code == .timeout)
                }
                release()
            }
            #expect(database.statistics.waiting == 0)
            let patient = Process(database)
            #expect(await patient.find("{ a }") == nil)
            patient.expectNoFailure()
        }
    }

    @Test("If the database server accepts connections but does not respond, operations end at the timeout")
    func silent() async throws {
        let server = try SilentServer()
        let database = Database(try DatabaseURL("mariadb://duet:secret@127.0.0.1:\(server.port)/duet"))
        let process = Process(database) { $0.storeTimeout = .milliseconds(50) }
        #expect(await process.find("{ a }") == nil)
        await process.register("{ a }")
        await process.queries.sweep()
        #expect(await process.find("{ a }") == "{ a }")
        #expect(process.observations.failures.map(\.purpose) == [.lookup, .registration, .flush, .sweep])
        for failure in process.observations.failures {
            #expect((failure.error as? DatabaseError)?.code == .timeout)
        }
        server.close()
        await database.close()
    }

    @Test(
        "A lock of another process delays a registration only until the timeout, and lookups still work",
        arguments: TestBackend.available)
    func locked(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            await Process(database).register("{ a }")
            try await withSecondDatabase(database) { second async throws in
                let process = Process(second) { $0.storeTimeout = .milliseconds(200) }
                // This statement locks the only row on MariaDB, and the file on SQLite.
                try await database.holdingConnection(
                    writing: "UPDATE duet_persisted_queries SET used_at = used_at + 1"
                ) { release async throws in
                    await process.register("{ a }")
                    #expect(process.observations.failures.map(\.purpose) == [.registration])
                    let patient = Process(second)
                    #expect(await patient.find("{ a }") == "{ a }")
                    #expect(patient.observations.lookups == [.store])
                    release()
                }
                let patient = Process(second)
                await patient.register("{ a }")
                patient.expectNoFailure()
            }
        }
    }

    @Test(
        "If an eviction waits for a lock, the registration ends at the timeout, and the document is found",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func trimming() async throws {
        // SQLite has a single writer, so the registration itself would wait.
        try await TestDatabase.with(.mariaDB) { database async throws in
            let clock = TestClock()
            let first = Process(database, clock: clock)
            for number in 0...100 {
                await first.register("{ a\(number) }")
                clock.advance(by: .seconds(1))
            }
            try await withSecondDatabase(database) { second async throws in
                let process = Process(second, clock: clock) {
                    $0.maximumRows = 100
                    $0.storeTimeout = .seconds(3)
                }
                // This row is evicted first.
                let oldest = DocumentHash(of: "{ a0 }")
                try await database.holdingConnection(
                    writing: "UPDATE duet_persisted_queries SET is_reused = 0 WHERE hash = X'\(oldest)'"
                ) { release async throws in
                    await process.register("{ new }")
                    #expect(process.observations.failures.map(\.purpose) == [.sweep])
                    #expect(await Process(second, clock: clock).find("{ new }") == "{ new }")
                    release()
                }
                await process.queries.sweep()
                // Under load, the abandoned statement can get the lock before it is stopped, and evict the rows itself.
                #expect([0, 2].contains(process.observations.evicted(from: .store)))
                #expect(try await second.storedRows().count == 100)
                #expect(try await !second.hasRow(of: "{ a0 }"))
            }
        }
    }

    @Test(
        "If a deadlock rolls back the transaction of a flush, the process writes the uses of its documents again",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func deadlock() async throws {
        try await TestDatabase.with(.mariaDB) { database async throws in
            let clock = TestClock()
            let lost = FailedStatementCounter()
            let second = Database(
                database.url, configuration: DatabaseConfiguration(poolSize: 2), observer: lost.observer)
            let process = Process(second, clock: clock)
            let documents = ["{ a }", "{ b }"]
            for document in documents { await process.register(document) }
            clock.advance(by: .seconds(5))
            for document in documents { #expect(await process.find(document) == document) }
            let hashes = documents.map { DocumentHash(of: $0) }.sorted()
            let (beginnings, begins) = AsyncStream<Void>.makeStream()
            let held = DispatchSemaphore(value: 0)
            async let other: Void = database.write(timeout: .none) { connection in
                defer { begins.finish() }
                func lock(_ hash: DocumentHash) throws {
                    try connection.execute(
                        "UPDATE duet_persisted_queries SET bytes = bytes + 1 WHERE hash = X'\(hash)'")
                }
                // MariaDB rolls back the transaction that has written fewer rows, so this transaction survives.
                for number in 0..<50 {
                    try connection.execute(
                        "INSERT INTO departments (dept_no, dept_name) VALUES (:number, :name)",
                        ["number": .text("x\(number)"), "name": .text("Department \(number)")])
                }
                try lock(hashes[1])
                begins.finish()
                held.wait()
                try lock(hashes[0])
            }
            for await _ in beginnings {}
            async let flushed: Void = process.queries.flush()
            do {
                // The loop ends when the flush has locked the first row. This transaction then requests the first row,
                // and the flush requests the second row, so each waits for the other.
                while try await database.isFree(hashes[0]) {}
            } catch {
                held.signal()
                throw error
            }
            held.signal()
            await flushed
            try await other
            #expect(lost.count == 1)
            process.expectNoFailure()
            let rows = try await database.storedRows()
            #expect(rows.count == 2 && rows.allSatisfy { $0.usedAt == clock.now && $0.isReused })
            await second.close()
        }
    }

    @Test(
        "A canceled registration is not reported as a failure of the store, and a flush stores the document",
        arguments: TestBackend.available)
    func cancelled(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let process = Process(database)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                #expect(await process.find("{ b }") == nil)
                await process.register("{ a }")
            }
            await task.value
            process.expectNoFailure()
            await process.queries.flush()
            #expect(await Process(database).find("{ a }") == "{ a }")
        }
    }

    @Test(
        "The `run` method sweeps until its task is canceled, and then writes the remaining uses",
        arguments: TestBackend.available)
    func run(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            await Process(database, clock: clock).register("{ old }")
            clock.advance(by: .seconds(31 * 24 * 60 * 60))
            let (sweeps, swept) = AsyncStream<Void>.makeStream()
            var configuration = PersistedQueriesConfiguration()
            configuration.storeTimeout = .seconds(60)
            configuration.flushInterval = .seconds(24 * 60 * 60)
            configuration.sweepInterval = .zero
            let queries = PersistedQueries(configuration, database: database, now: { clock.now }) { observation in
                if case .expired(1, from: .store) = observation { swept.finish() }
                if case .storeFailed(_, let error) = observation { Issue.record("\(error)") }
            }
            let running = Task { await queries.run() }
            for await _ in sweeps {}
            await queries.register("{ a }", as: DocumentHash(of: "{ a }"))
            clock.advance(by: .seconds(60))
            _ = await queries.document(DocumentHash(of: "{ a }"))
            running.cancel()
            await running.value
            #expect(
                try await database.storedRows()
                    == [
                        StoredRow(
                            hash: DocumentHash(of: "{ a }").description, bytes: 5, usedAt: clock.now, isReused: true)
                    ])
        }
    }
}
