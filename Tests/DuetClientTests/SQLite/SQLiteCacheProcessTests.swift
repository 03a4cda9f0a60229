import DuetClient
import DuetJSON
import Foundation
import ProcessTesting
import Testing

@Suite("Processes that share a normalized cache in a SQLite file")
struct SQLiteCacheProcessTests {
    private static func store(_ folder: URL) throws -> GraphQLStore {
        GraphQLStore(
            cache: try SQLiteNormalizedCache(at: folder.appending(path: "cache.sqlite")), policies: .employees)
    }

    private static func write(_ number: Int, in store: GraphQLStore) async throws {
        try await store.withinReadWriteTransaction { transaction in
            for id in ["1", "2"] {
                try transaction.updateObject(.entity("Employee", id)) { $0["number"] = .integer(Int64(number)) }
            }
        }
    }

    private static func numbers(in store: GraphQLStore) async throws -> [FieldValue?] {
        try await store.withinReadTransaction { (transaction) throws(StoreError) in
            var numbers: [FieldValue?] = []
            for id in ["1", "2"] {
                numbers.append(try transaction.fields(ofObject: .entity("Employee", id))?["number"])
            }
            return numbers
        }
    }

    @Test(
        "After a process is killed during a write, the file contains all acknowledged commits and no partial commit"
    )
    func kill() async throws {
        try await TemporaryFolder.with { folder in
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
                let folder = URL(fileURLWithPath: path)
                let store = try SQLiteCacheProcessTests.store(folder)
                let acknowledged = folder.appending(path: "acknowledged")
                try Data("0".utf8).write(to: acknowledged)
                // Another thread ends the process at an arbitrary point of a write.
                Thread.detachNewThread {
                    while (try? String(contentsOf: acknowledged, encoding: .utf8)).flatMap(Int.init) ?? 0 < 100 {}
                    Foundation.kill(getpid(), SIGKILL)
                }
                for number in 1... {
                    try await SQLiteCacheProcessTests.write(number, in: store)
                    try Data("\(number)".utf8).write(to: acknowledged, options: .atomic)
                }
            }
            let text = try String(contentsOf: folder.appending(path: "acknowledged"), encoding: .utf8)
            let acknowledged = try #require(Int64(text))
            let numbers = try await Self.numbers(in: try Self.store(folder))
            #expect(numbers[0] == numbers[1])
            guard case .integer(let number)? = numbers[0] else { throw CocoaError(.fileReadCorruptFile) }
            #expect(number >= acknowledged)
        }
    }

    @Test("A file retains the records of two processes that write at the same time")
    func sharing() async throws {
        try await TemporaryFolder.with { folder in
            let store = try Self.store(folder)
            async let other = #expect(processExitsWith: .success) { [path = folder.path as String] in
                let store = try SQLiteCacheProcessTests.store(URL(fileURLWithPath: path))
                for number in 0..<100 {
                    try await store.withinReadWriteTransaction { transaction in
                        try transaction.updateObject(CacheKey("Other:\(number)")) {
                            $0["number"] = .integer(Int64(number))
                        }
                    }
                }
            }
            for number in 0..<100 {
                try await store.withinReadWriteTransaction { transaction in
                    try transaction.updateObject(CacheKey("Own:\(number)")) { $0["number"] = .integer(Int64(number)) }
                }
            }
            _ = await other
            let keys = try await store.withinReadTransaction { (transaction) throws(StoreError) in
                try transaction.keys()
            }
            #expect(keys.count == 200)
        }
    }

    /// Adds 1 to the field `name` and to the field `sum` of the record `Shared`.
    private static func count(_ name: FieldKey, in store: GraphQLStore) async throws {
        try await store.withinReadWriteTransaction { transaction in
            try transaction.updateObject("Shared") { fields in
                for key in [name, "sum"] {
                    if case .integer(let count) = fields[key] ?? 0 { fields[key] = .integer(count + 1) }
                }
            }
        }
    }

    private static func number(
        _ name: FieldKey, of key: CacheKey = "Shared", in store: GraphQLStore
    ) async throws -> Int64 {
        try await store.withinReadTransaction { (transaction) throws(StoreError) in
            guard case .integer(let number)? = try transaction.fields(ofObject: key)?[name] else { return 0 }
            return number
        }
    }

    @Test("No write is lost if two processes write fields of one record at the same time")
    func oneRecord() async throws {
        try await TemporaryFolder.with { folder in
            let store = try Self.store(folder)
            async let other = #expect(processExitsWith: .success) { [path = folder.path as String] in
                let store = try SQLiteCacheProcessTests.store(URL(fileURLWithPath: path))
                while try await SQLiteCacheProcessTests.number("number", of: .entity("Employee", "1"), in: store) == 0 {
                    try await SQLiteCacheProcessTests.count("other", in: store)
                }
            }
            while try await Self.number("other", in: store) == 0 { await Task.yield() }
            for _ in 0..<100 { try await Self.count("own", in: store) }
            // The other process writes until it reads this value.
            try await Self.write(1, in: store)
            _ = await other
            let others = try await Self.number("other", in: store)
            #expect(try await Self.number("own", in: store) == 100)
            #expect(try await Self.number("sum", in: store) == 100 + others)
        }
    }
}
