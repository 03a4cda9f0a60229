import DuetPersistedDocuments
import DuetPersistedQueries
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("The time to live of registered documents") struct ExpiryTests {
    private static let day = Duration.seconds(24 * 60 * 60)

    @Test(
        "A document that was not used for its time to live is not found, and a sweep removes the document",
        arguments: TestBackend.available)
    func expiry(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let process = Process(database, clock: clock) { $0.timeToLive = Self.day * 30 }
            await process.register("{ old }")
            clock.advance(by: Self.day * 29)
            await process.register("{ young }")
            let other = Process(database, clock: clock) { $0.timeToLive = Self.day * 30 }
            clock.advance(by: Self.day)
            // The first process looks in its memory, and the other process looks in the store.
            #expect(await process.find("{ old }") == nil)
            #expect(await other.find("{ old }") == nil)
            #expect(await other.find("{ young }") == "{ young }")
            #expect(process.observations.expired(from: .memory) == 1)
            #expect(try await database.storedRows().count == 2)
            await process.queries.sweep()
            #expect(try await database.storedRows().map(\.hash) == [DocumentHash(of: "{ young }").description])
            #expect(process.observations.expired(from: .store) == 1)
            process.expectNoFailure()
            other.expectNoFailure()
        }
    }

    @Test("Each use restarts the time to live, in memory and in the store", arguments: TestBackend.available)
    func sliding(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let process = Process(database, clock: clock) { $0.timeToLive = Self.day * 30 }
            await process.register("{ a }")
            for _ in 0..<10 {
                clock.advance(by: Self.day * 20)
                #expect(await process.find("{ a }") == "{ a }")
                await process.queries.sweep()
            }
            #expect(process.observations.lookups == Array(repeating: .memory, count: 10))
            clock.advance(by: Self.day * 29)
            let other = Process(database, clock: clock) { $0.timeToLive = Self.day * 30 }
            #expect(await other.find("{ a }") == "{ a }")
            process.expectNoFailure()
        }
    }

    @Test(
        "A flush writes the time of a use to the store, and omits uses shortly after a written use",
        arguments: TestBackend.available)
    func touches(backend: TestBackend) async throws {
        let writes = StatementCounter("UPDATE duet_persisted_queries")
        try await TestDatabase.with(backend, observer: writes.observer) { database async throws in
            let clock = TestClock()
            let process = Process(database, clock: clock)
            await process.register("{ a }")
            clock.advance(by: .seconds(30))
            let firstUse = clock.now
            _ = await process.find("{ a }")
            #expect(writes.count == 0)
            clock.advance(by: .seconds(5))
            await process.queries.flush()
            // The first lookup marks the row as reused.
            let row = try #require(try await database.storedRows().first)
            #expect(row.usedAt == firstUse && row.isReused)
            for _ in 0..<100 {
                clock.advance(by: .seconds(5))
                _ = await process.find("{ a }")
                await process.queries.flush()
            }
            #expect(writes.count == 1)
            clock.advance(by: .seconds(120))
            _ = await process.find("{ a }")
            await process.queries.flush()
            #expect(writes.count == 2)
            #expect(try await database.storedRows().map(\.usedAt) == [clock.now])
        }
    }

    @Test(
        "A lookup marks a document as reused, and a repeated registration does not",
        arguments: TestBackend.available)
    func reuse(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let process = Process(database, clock: clock)
            for _ in 0..<5 {
                await process.register("{ a }")
                await Process(database, clock: clock).register("{ a }")
                clock.advance(by: .seconds(3_600))
                await process.queries.flush()
            }
            #expect(try await database.storedRows().map(\.isReused) == [false])
            let other = Process(database, clock: clock)
            _ = await other.find("{ a }")
            await other.queries.flush()
            #expect(try await database.storedRows().map(\.isReused) == [true])
            // A repeated registration does not remove the mark.
            await Process(database, clock: clock).register("{ a }")
            #expect(try await database.storedRows().map(\.isReused) == [true])
        }
    }

    @Test(
        "No document is removed if the clock is set back, or if the clock of another machine is fast",
        arguments: TestBackend.available
    )
    func skew(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let (clock, ahead) = (TestClock(), TestClock())
            ahead.advance(by: Self.day)
            let (one, other) = (Process(database, clock: clock), Process(database, clock: ahead))
            await other.register("{ a }")
            #expect(await one.find("{ a }") == "{ a }")
            await one.register("{ b }")
            clock.advance(by: Self.day * -2)
            #expect(await one.find("{ b }") == "{ b }")
            await one.queries.sweep()
            await other.queries.sweep()
            #expect(try await database.storedRows().map(\.usedAt).max() == ahead.now)
            #expect(try await database.storedRows().count == 2)
            one.expectNoFailure()
        }
    }

    @Test(
        "If another process removed the row of a document in use, a flush writes a new row",
        arguments: TestBackend.available)
    func lostRow(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database async throws in
            let clock = TestClock()
            let process = Process(database, clock: clock)
            await process.register("{ a }")
            try await database.write { try $0.execute("DELETE FROM duet_persisted_queries") }
            _ = await process.find("{ a }")
            await process.queries.flush()
            let row = try #require(try await database.storedRows().first)
            #expect(row.isReused && row.usedAt == clock.now)
            #expect(await Process(database, clock: clock).find("{ a }") == "{ a }")
            process.expectNoFailure()
        }
    }
}
