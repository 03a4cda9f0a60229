import DuetSQLDatabase
import Foundation
import TestSupport
import Testing

@Suite("Deadlines of transactions")
struct DeadlineTests {
    /// A pool without other time limits, so that only the deadline can end the operation under test.
    private var unbounded: DatabaseConfiguration {
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.acquireTimeout = .seconds(3600)
        configuration.statementTimeout = nil
        return configuration
    }

    @Test("A transaction that waits for a connection ends at its deadline", arguments: TestBackend.available)
    func waiting(_ backend: TestBackend) async throws {
        try await withRecorder(backend, unbounded) { database, _ in
            try await database.holdingConnection { release async throws in
                let read = await failure {
                    try await database.read(deadline: .after(.milliseconds(20))) { _ in
                        Issue.record("The closure ran after the deadline.")
                    }
                }
                let write = await failure {
                    try await database.write(deadline: .after(.milliseconds(20))) { _ in
                        Issue.record("The closure ran after the deadline.")
                    }
                }
                #expect(read?.code == .timeout && write?.code == .timeout)
                #expect(database.statistics.waiting == 0)
                release()
            }
            try await expectAnswer(from: database)
        }
    }

    @Test(
        "A running statement ends at the deadline, and the connection remains usable",
        arguments: TestBackend.available)
    func running(_ backend: TestBackend) async throws {
        try await withRecorder(backend, unbounded) { database, _ in
            for kind in ["read", "write"] {
                let body: @Sendable (Connection) throws -> Int = { try $0.query(backend.endless).rows().count }
                let deadline = Deadline.after(.milliseconds(100))
                let error = await failure {
                    kind == "read"
                        ? try await database.read(deadline: deadline, body)
                        : try await database.write(deadline: deadline, body)
                }
                #expect(error?.code == .timeout, "\(kind)")
                try await expectAnswer(from: database)
            }
            try await expectNoStatementOfOthers(on: database)
        }
    }

    @Test("A transaction does not begin after its deadline", arguments: TestBackend.available)
    func passed(_ backend: TestBackend) async throws {
        try await withRecorder(backend, unbounded) { database, _ in
            let error = await failure {
                try await database.read(deadline: .after(.zero)) { _ in
                    Issue.record("The closure ran after the deadline.")
                }
            }
            #expect(error?.code == .timeout)
            try await expectAnswer(from: database)
        }
    }

    @Test("The closure runs no further statement after the deadline", arguments: TestBackend.available)
    func betweenStatements(_ backend: TestBackend) async throws {
        try await withRecorder(backend, unbounded) { database, _ in
            let error = await failure {
                try await database.write(deadline: .after(.milliseconds(50))) { connection in
                    while true { _ = try connection.query("SELECT 1 AS n").rows() }
                }
            }
            #expect(error?.code == .timeout)
            try await expectAnswer(from: database)
        }
    }

    @Test("The deadline does not replace an error of the closure", arguments: TestBackend.available)
    func otherErrors(_ backend: TestBackend) async throws {
        struct Refusal: Error {}
        try await withRecorder(backend, unbounded) { database, _ in
            let hasBegun = Event()
            // Under load, several attempts may be necessary to begin before the deadline.
            while !hasBegun.hasHappened {
                do {
                    try await database.read(deadline: .after(.milliseconds(50))) { connection in
                        hasBegun.happen()
                        do {
                            while true { _ = try connection.query("SELECT 1 AS n").rows() }
                        } catch {
                            throw Refusal()
                        }
                    }
                } catch {
                    #expect(error is Refusal || !hasBegun.hasHappened, "\(error)")
                }
            }
        }
    }

    @Test(
        "The time limit of a stream applies to each element, and excludes the time of the consumer",
        arguments: TestBackend.available)
    func streams(_ backend: TestBackend) async throws {
        // If the machine pauses for longer than the limit, the database seems slow. The test then repeats with a longer
        // limit.
        var outcome = "not tried"
        for limit in [Duration.seconds(1), .seconds(10), .seconds(100)] {
            do {
                return try await readStream(backend, limit: limit)
            } catch {
                outcome = "\(limit): \(error)"
            }
        }
        Issue.record("\(outcome)")
    }

    /// Reads nineteen numbers, pauses for longer than the limit after the first number, and expects that reading the
    /// twentieth number ends at the limit.
    private func readStream(_ backend: TestBackend, limit: Duration) async throws {
        struct Unexpected: Error { let what: String }
        try await withRecorder(backend, unbounded) { database, _ in
            try await expectAnswer(from: database)
            let stream = try await database.stream(timeout: limit) { connection in
                var number = 0
                return {
                    number += 1
                    if number == 20 { _ = try connection.query(backend.endless).rows() }
                    return number
                }
            }
            var numbers = stream.makeAsyncIterator()
            guard try await numbers.next() == 1 else { throw Unexpected(what: "the first number") }
            // The stream has the only connection, so this read waits until its deadline. If the limit applied to the
            // whole stream, the stream would end earlier.
            let other = await failure { try await database.read(deadline: .after(limit)) { _ in } }
            guard other?.code == .timeout else {
                throw Unexpected(what: "the other read: \(String(describing: other))")
            }
            for number in 2..<20 {
                guard try await numbers.next() == number else { throw Unexpected(what: "number \(number)") }
            }
            let error = await failure { try await numbers.next() }
            guard error?.code == .timeout else { throw Unexpected(what: "the end: \(String(describing: error))") }
            try await expectAnswer(from: database)
        }
    }

    @Test(
        "A read of a table that another session has locked ends at its deadline without a retry",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func lockedTable() async throws {
        try await withRecorder(.mariaDB, unbounded) { database, recorder in
            try await database.write { try $0.executeScript("CREATE TABLE things (id INT PRIMARY KEY)") }
            let locker = Database(database.url, configuration: DatabaseConfiguration(poolSize: 1))
            try await locker.holdingConnection(writing: "LOCK TABLES things WRITE") { _ async throws in
                let error = await failure {
                    try await database.read(deadline: .after(.milliseconds(200))) {
                        try $0.query("SELECT id FROM things").rows().count
                    }
                }
                #expect(error?.code == .timeout)
                #expect(recorder.retries == 0)
            }
            await locker.close()
            try await expectNoStatementOfOthers(on: database)
        }
    }

    /// Waits until the server runs no other statement in this database.
    private func expectNoStatementOfOthers(on database: Database) async throws {
        guard case .mariaDB = database.url.location else { return }
        while try await database.read({ connection in
            try connection.query(
                """
                SELECT id FROM information_schema.processlist
                WHERE db = DATABASE() AND id <> CONNECTION_ID() AND command <> 'Sleep'
                """
            ).rows().isEmpty == false
        }) {
            await Task.yield()
        }
    }
}
