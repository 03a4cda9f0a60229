import DuetPersistedDocuments
import DuetPersistedQueries
import DuetSQLDatabase
import SeededTesting
import TestSupport
import Testing

@Suite("A large number of new documents") struct FloodTests {
    private func configure(_ configuration: inout PersistedQueriesConfiguration) {
        configuration.maximumRows = 200
        configuration.maximumMemory = 200 * 400
    }

    @Test(
        "New documents evict no document that was used after its registration, from memory or from the store",
        arguments: TestBackend.available)
    func flood(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let client = Process(database, clock: clock, configure)
            let used = (0..<50).map { "{ used\($0) }" }
            for document in used { await client.register(document) }
            for document in used { _ = await client.find(document) }
            await client.queries.flush()
            client.observations.clear()

            // The new documents go through the client's process and through a process that has none of the client's
            // documents in memory.
            let attacker = Process(database, clock: clock, configure)
            for number in 0..<TestScale.count(600) {
                clock.advance(by: .seconds(1))
                // A repeated registration does not count as a use.
                for _ in 0..<2 { await (number % 3 == 0 ? client : attacker).register("{ flood\(number) }") }
                #expect(
                    number % 100 > 0 ? true : try await database.storedRows().count <= 204,
                    "the bound holds between sweeps")
            }
            #expect(client.observations.evicted(from: .memory) > 0)
            #expect(attacker.observations.evicted(from: .store) > 0)

            for document in used { #expect(await client.find(document) == document) }
            #expect(client.observations.lookups == Array(repeating: .memory, count: 50))
            let fresh = Process(database, clock: clock, configure)
            for document in used { #expect(await fresh.find(document) == document) }
            #expect(client.queries.statistics.bytes <= 200 * 400)
            for process in [client, attacker, fresh] { process.expectNoFailure() }
        }
    }

    @Test(
        "Documents that were never used after registration are evicted first, then the least recently used documents",
        arguments: TestBackend.available)
    func order(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let process = Process(database, clock: clock)
            for name in ["a", "b", "c", "d", "e", "f"] {
                clock.advance(by: .seconds(1))
                await process.register("{ \(name) }")
            }
            for name in ["a", "d", "b"] {
                clock.advance(by: .seconds(1))
                _ = await process.find("{ \(name) }")
            }
            for name in ["g", "h"] {
                clock.advance(by: .seconds(1))
                await process.register("{ \(name) }")
            }
            await process.queries.flush()
            var expected = ["b", "d", "a", "h", "g", "f", "e", "c"]
            while let gone = expected.popLast() {
                await Process(database, clock: clock) { $0.maximumRows = expected.count }.queries.sweep()
                #expect(try await !database.hasRow(of: "{ \(gone) }"), "\(gone)")
                #expect(try await database.storedRows().count == expected.count)
            }
        }
    }

    @Test(
        "No document in use is evicted, even if the new documents are looked up",
        arguments: TestBackend.available
    )
    func lookups(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let process = Process(database, clock: clock, configure)
            let used = (0..<20).map { "{ used\($0) }" }
            for document in used { await process.register(document) }
            for number in 0..<TestScale.count(300) {
                clock.advance(by: .seconds(1))
                for document in used { #expect(await process.find(document) == document) }
                await process.register("{ flood\(number) }")
                _ = await process.find("{ flood\(number) }")
                if number % 100 == 99 {
                    for document in used { #expect(try await database.hasRow(of: document), "\(number)") }
                }
            }
            #expect(process.observations.evicted(from: .store) > 0)
            #expect(try await database.storedRows().count <= 204)
            process.expectNoFailure()
        }
    }

    @Test(
        "After a client's process knows that the store is full, another process evicts no document of the client",
        arguments: TestBackend.available)
    func lookupsElsewhere(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let client = Process(database, clock: clock, configure)
            let attacker = Process(database, clock: clock, configure)
            let used = (0..<20).map { "{ used\($0) }" }
            for document in used { await client.register(document) }
            for number in 0..<TestScale.count(360) {
                clock.advance(by: .seconds(1))
                for document in used { #expect(await client.find(document) == document) }
                await attacker.register("{ flood\(number) }")
                _ = await attacker.find("{ flood\(number) }")
                // A server flushes each second and sweeps each minute.
                if number % 60 == 59 { await client.queries.sweep() } else { await client.queries.flush() }
                if number > 240 {
                    let kept = Set(try await database.storedRows().map(\.hash))
                    #expect(kept.isSuperset(of: used.map { "\(DocumentHash(of: $0))" }), "\(number)")
                }
            }
            #expect(attacker.observations.evicted(from: .store) > 0)
            for process in [client, attacker] { process.expectNoFailure() }
        }
    }

    @Test("A process writes its recent uses to the store before it evicts documents", arguments: TestBackend.available)
    func makingRoom(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let process = Process(database, clock: clock) { $0.maximumRows = 20 }
            await process.register("{ used }")
            _ = await process.find("{ used }")
            for number in 0..<50 {
                clock.advance(by: .seconds(1))
                await process.register("{ flood\(number) }")
            }
            #expect(try await database.hasRow(of: "{ used }"))
            #expect(try await !database.hasRow(of: "{ flood0 }"))
            process.expectNoFailure()
        }
    }

    @Test(
        "Documents that were used after their registration occupy at most four fifths of the rows",
        arguments: TestBackend.available)
    func room(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let process = Process(database, clock: clock) { $0.maximumRows = 100 }
            for number in 0..<100 {
                clock.advance(by: .seconds(1))
                await process.register("{ a\(number) }")
                _ = await process.find("{ a\(number) }")
            }
            await process.queries.sweep()
            clock.advance(by: .seconds(1))
            await process.register("{ new }")
            await process.queries.sweep()
            let rows = try await database.storedRows()
            #expect(rows.count == 100)
            #expect(rows.count(where: \.isReused) == 80)
            #expect(try await database.hasRow(of: "{ new }"))
            #expect(try await !database.hasRow(of: "{ a0 }"))
            process.expectNoFailure()
        }
    }

    @Test("The total size of the stored documents is limited, even between sweeps", arguments: TestBackend.available)
    func bytes(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let process = Process(database) { $0.maximumStoredBytes = 1 << 20 }
            for number in 0..<40 {
                await process.register("# \(number)" + String(repeating: "-", count: 100_000))
                let bytes = try await database.storedRows().reduce(0) { $0 + $1.bytes }
                #expect(bytes <= 1 << 20)
            }
            #expect(try await database.storedRows().count == 10)
            process.expectNoFailure()
        }
    }

    @Test(
        "A sweep removes all expired documents, and evicts all documents above the maximum",
        arguments: TestBackend.available)
    func large(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            try await database.write { connection in
                let inserter = try connection.bulkInserter(
                    into: "duet_persisted_queries", columns: ["hash", "document", "bytes", "used_at", "is_reused"])
                for number in 0..<2_700 {
                    var hash = [UInt8](repeating: 0, count: 32)
                    (hash[0], hash[1]) = (UInt8(number / 256), UInt8(number % 256))
                    let age: Int64 = number < 1_200 ? 40 * 24 * 60 * 60 * 1_000 : Int64(number)
                    try inserter.append([
                        .blob(hash), .text("x"), .integer(1), .integer(clock.now - age),
                        .integer(number % 2 == 0 ? 1 : 0),
                    ])
                }
                try inserter.finish()
            }
            let process = Process(database, clock: clock) { $0.maximumRows = 200 }
            await process.queries.sweep()
            #expect(process.observations.expired(from: .store) == 1_200)
            #expect(process.observations.evicted(from: .store) == 1_300)
            #expect(try await database.storedRows().count == 200)
            #expect(process.queries.statistics.storedDocuments == 200)
            #expect(process.queries.statistics.storedBytes == 200)
            process.expectNoFailure()
        }
    }

    @Test(
        "Concurrent sweeps, registrations and uses of several processes have no errors",
        arguments: TestBackend.available)
    func concurrent(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let processes = (0..<4).map { _ in Process(database, clock: clock) { $0.maximumRows = 40 } }
            await withTaskGroup(of: Void.self) { tasks in
                for (index, process) in processes.enumerated() {
                    tasks.addTask {
                        for number in 0..<60 {
                            clock.advance(by: .seconds(1))
                            await process.register("{ a\(index)_\(number) }")
                            _ = await process.find("{ a\((index + 1) % 4)_\(number / 2) }")
                            if number % 10 == 0 { await process.queries.sweep() }
                        }
                    }
                }
            }
            await processes[0].queries.sweep()
            #expect(try await database.storedRows().count <= 40)
            for process in processes { process.expectNoFailure() }
        }
    }
}
