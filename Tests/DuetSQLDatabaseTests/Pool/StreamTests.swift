import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Streams", .serialized)
struct StreamTests {
    private struct Trouble: Error {}

    private func with(
        _ backend: TestBackend, poolSize: Int = 2, streams: Int = 1, _ body: (Database, Recorder) async throws -> Void
    ) async throws {
        let recorder = Recorder()
        try await TestDatabase.with(
            backend, schema: false, configuration: DatabaseConfiguration(poolSize: poolSize, streamLimit: streams),
            observer: recorder.observer
        ) { try await body($0, recorder) }
    }

    private func numbers(_ backend: TestBackend, _ database: Database, last: Int) async throws -> ReadStream<Int64> {
        try await database.stream { connection in
            let rows = try connection.query(backend.numbers, ["last": .integer(last)])
            return { try rows.next() ? rows.integer(at: 0) : nil }
        }
    }

    /// Waits until no transaction is running.
    private func untilIdle(_ database: Database) async {
        while database.statistics.busy > 0 { await Task.yield() }
    }

    @Test("All elements of a stream arrive in order", arguments: TestBackend.available)
    func all(_ backend: TestBackend) async throws {
        try await with(backend) { database, recorder in
            for last in [0, 1, 2, 3, 1_000] {
                var seen: [Int64] = []
                for try await number in try await numbers(backend, database, last: last) { seen.append(number) }
                #expect(seen == (0..<last).map { Int64($0 + 1) })
            }
            await untilIdle(database)
            #expect(recorder.opened == 1)
        }
    }

    @Test("The producer is only a few elements ahead of the consumer", arguments: TestBackend.available)
    func backPressure(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            let made = Shared(0)
            let stream = try await database.stream { connection in
                let rows = try connection.query(backend.numbers, ["last": 1_000])
                return {
                    guard try rows.next() else { return nil as Int64? }
                    made.change { $0 += 1 }
                    return rows.integer(at: 0)
                }
            }
            var taken = 0
            for try await _ in stream {
                taken += 1
                #expect(made.value - taken <= 4)
            }
            #expect(taken == 1_000)
        }
    }

    @Test("Leaving the loop over a stream releases the connection", arguments: TestBackend.available)
    func leftEarly(_ backend: TestBackend) async throws {
        try await with(backend, poolSize: 1) { database, _ in
            for _ in 0..<3 {
                do {
                    for try await number in try await numbers(backend, database, last: 50_000) where number == 2 {
                        break
                    }
                }
                try await expectAnswer(from: database)
            }
            _ = try await numbers(backend, database, last: 50_000)
            try await expectAnswer(from: database)
        }
    }

    @Test("An error after the first element is thrown to the reader", arguments: TestBackend.available)
    func errorAmongElements(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            let stream = try await database.stream { connection in
                let rows = try connection.query(backend.numbers, ["last": 100])
                return {
                    guard try rows.next(), rows.integer(at: 0) < 5 else { throw Trouble() }
                    return rows.integer(at: 0)
                }
            }
            var seen: [Int64] = []
            await #expect(throws: Trouble.self) {
                for try await number in stream { seen.append(number) }
            }
            #expect(seen == [1, 2, 3, 4])
            try await expectAnswer(from: database)
        }
    }

    @Test(
        "An error before the first element is thrown by the call that creates the stream",
        arguments: TestBackend.available)
    func errorAtFirst(_ backend: TestBackend) async throws {
        try await with(backend) { database, recorder in
            let error = await failure {
                _ = try await database.stream { connection -> () throws -> Int? in
                    let rows = try connection.query("SELECT one FROM nowhere")
                    return { try rows.next() ? 1 : nil }
                }
            }
            #expect(error?.code == .missingTable)
            await #expect(throws: Trouble.self) {
                _ = try await database.stream { _ -> () throws -> Int? in { throw Trouble() } }
            }
            #expect(recorder.retries == 0)
        }
    }

    @Test("Canceling the reader ends the stream, even during a statement", arguments: TestBackend.available)
    func cancel(_ backend: TestBackend) async throws {
        try await with(backend, poolSize: 1) { database, _ in
            let hasFirst = Event()
            let task = Task {
                let stream = try await database.stream { connection in
                    var isFirst = true
                    return { () -> Int? in
                        if isFirst {
                            isFirst = false
                            return 1
                        }
                        return try connection.query(backend.endless).rows().count
                    }
                }
                for try await _ in stream { hasFirst.happen() }
            }
            await hasFirst.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await expectAnswer(from: database)
        }
    }

    @Test(
        "A read can run while a stream is open, and a stream above the limit waits until another stream ends",
        arguments: TestBackend.available)
    func limit(_ backend: TestBackend) async throws {
        try await with(backend, poolSize: 2, streams: 1) { database, _ in
            let first = try await numbers(backend, database, last: 2_000)
            var iterator = first.makeAsyncIterator()
            #expect(try await iterator.next() == 1)
            let second = Task { try await numbers(backend, database, last: 3) }
            while database.statistics.waiting < 1 { await Task.yield() }
            try await expectAnswer(from: database)
            #expect(database.statistics.waiting == 1)
            while try await iterator.next() != nil {}
            var count = 0
            for try await _ in try await second.value { count += 1 }
            #expect(count == 3)
        }
    }

    @Test(
        "A write can run while a stream is open, and the stream does not see the write",
        arguments: TestBackend.available)
    func writeBeside(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            try await database.write {
                try $0.executeScript("CREATE TABLE t (n INTEGER NOT NULL PRIMARY KEY)")
                let inserter = try $0.bulkInserter(into: "t", columns: ["n"])
                for number in 0..<5_000 { try inserter.append([.integer(Int64(number))]) }
                try inserter.finish()
            }
            let stream = try await database.stream { connection in
                let rows = try connection.query("SELECT n FROM t ORDER BY n")
                return { try rows.next() ? rows.integer(at: 0) : nil }
            }
            var count = 0
            for try await _ in stream {
                count += 1
                if count == 1 { try await database.write { try $0.execute("DELETE FROM t WHERE n > 10") } }
            }
            #expect(count == 5_000)
        }
    }
}
