import DuetClient
import DuetJSON
import Foundation
import ProcessTesting
import Testing

@Suite("Processes with a normalized cache in a SQLite file")
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
        "A process that is killed while it writes loses nothing that it has acknowledged, and leaves whole commits only"
    )
    func kill() async throws {
        try await TemporaryFolder.with { folder in
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
                let folder = URL(fileURLWithPath: path)
                let store = try SQLiteCacheProcessTests.store(folder)
                let acknowledged = folder.appending(path: "acknowledged")
                try Data("0".utf8).write(to: acknowledged)
                // Another thread ends the process, wherever the writer is by then.
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

    @Test("Two processes write into one file, and neither loses its own records")
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
}
