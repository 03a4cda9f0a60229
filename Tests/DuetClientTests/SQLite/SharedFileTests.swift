import DuetClient
import DuetJSON
import Foundation
import ProcessTesting
import Testing

/// Two caches on one file have two connections, like the caches of two processes.
@Suite("Two caches that share a SQLite file")
struct SharedFileTests {
    private static func withTwo<Value>(
        _ body: (GraphQLStore, SQLiteNormalizedCache, URL) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.with { folder in
            let url = folder.appending(path: "cache.sqlite")
            let store = GraphQLStore(cache: try SQLiteNormalizedCache(at: url), policies: .employees)
            return try await body(store, try SQLiteNormalizedCache(at: url), url)
        }
    }

    private static func record(_ fields: [(FieldKey, FieldValue)]) -> Record {
        Record(fields, receipt: Receipt(received: 0))
    }

    private static func fields(_ key: CacheKey, at url: URL) throws -> [FieldKey: FieldValue] {
        let record = try SQLiteNormalizedCache(at: url).record(for: key)
        return Dictionary(uniqueKeysWithValues: zip(record?.keys ?? [], record?.values ?? []))
    }

    @Test("A transaction runs again if the other cache writes a record that the transaction has read")
    func lostUpdate() async throws {
        try await Self.withTwo { store, other, url in
            try await store.withinReadWriteTransaction { transaction in
                try transaction.updateObject(.queryRoot) { $0["employees"] = 1 }
            }
            let runs = Counter()
            try await store.withinReadWriteTransaction { transaction in
                try transaction.updateObject(.queryRoot) { $0["own"] = 3 }
                if runs.increment() == 1 {
                    try other.begin()
                    let present = try #require(try other.record(for: .queryRoot))
                    let written = Self.record(Array(zip(present.keys, present.values)) + [("departments", 2)])
                    try other.apply(CacheChanges(records: [.queryRoot: written])) { [] }
                }
            }
            #expect(runs.value == 2)
            #expect(try Self.fields(.queryRoot, at: url) == ["employees": 1, "departments": 2, "own": 3])
        }
    }

    @Test("A transaction that runs again and then throws an error does not leave the file locked")
    func throwing() async throws {
        struct Stop: Error {}
        try await Self.withTwo { store, other, url in
            let runs = Counter()
            await #expect(throws: Stop.self) {
                try await store.withinReadWriteTransaction { transaction in
                    try transaction.updateObject("A") { $0["a"] = 1 }
                    if runs.increment() == 2 { throw Stop() }
                    try other.begin()
                    try other.apply(CacheChanges(records: ["B": Self.record([("b", 2)])])) { [] }
                }
            }
            try other.begin()
            try other.apply(CacheChanges(records: ["C": Self.record([("c", 3)])])) { [] }
            #expect(try Self.fields("A", at: url).isEmpty)
            #expect(try Self.fields("C", at: url) == ["c": 3])
        }
    }

    @Test("Changes are rejected if another cache has written since the last read, unless the file is locked first")
    func conflict() async throws {
        try await Self.withTwo { store, other, url in
            try await store.withinReadWriteTransaction { transaction in
                try transaction.updateObject("A") { $0["a"] = 1 }
            }
            let changes = CacheChanges(records: ["A": Self.record([("b", 2)])])
            let error = #expect(throws: CacheError.self) { try other.apply(changes) { [] } }
            #expect(error?.code == .conflict)
            try other.lock()
            try other.apply(changes) { [] }
            #expect(try Self.fields("A", at: url) == ["b": 2])
        }
    }

    @Test("A transaction writes the right field names even if the other cache clears the file during the transaction")
    func keyLists() async throws {
        try await Self.withTwo { store, other, url in
            try await store.withinReadWriteTransaction { transaction in
                try transaction.updateObject("First") { $0["a"] = 1 }
            }
            let runs = Counter()
            try await store.withinReadWriteTransaction { transaction in
                _ = try transaction.fields(ofObject: "First")
                if runs.increment() == 1 {
                    try other.removeAll()
                    try other.begin()
                    try other.apply(CacheChanges(records: ["Other": Self.record([("b", 2)])])) { [] }
                }
                try transaction.updateObject("Second") { $0["a"] = 3 }
            }
            #expect(try Self.fields("Second", at: url) == ["a": 3])
            #expect(try Self.fields("Other", at: url) == ["b": 2])
        }
    }

    @Test("A transaction reads the right field names of a record that the other cache writes during the transaction")
    func readingNewNames() async throws {
        try await Self.withTwo { store, other, url in
            try await store.withinReadWriteTransaction { transaction in
                try transaction.updateObject("First") { $0["a"] = 1 }
            }
            let value = try await store.withinReadTransaction { transaction in
                _ = try transaction.fields(ofObject: "First")
                try other.removeAll()
                try other.begin()
                try other.apply(CacheChanges(records: ["Other": Self.record([("b", 2)])])) { [] }
                return try transaction.fields(ofObject: "Other")?["b"]
            }
            #expect(value == 2)
        }
    }

    @Test("Caching a response retains fields that the other cache writes while the request is pending")
    func merge() async throws {
        try await Self.withTwo { store, other, url in
            let client = GraphQLClient(
                transport: Answers { _ in
                    let written = Self.record([("id", "1"), ("birthDate", 7)])
                    try? other.begin()
                    try? other.apply(CacheChanges(records: ["Employee:1": written])) { [] }
                    return Answers.employee()
                }, store: store)
            _ = try await client.fetch(EmployeeRowQuery(id: "1"), policy: .fetchIgnoringCacheData)
            #expect(try Self.fields("Employee:1", at: url)["birthDate"] == 7)
            #expect(try Self.fields("Employee:1", at: url)["lastName"] == "A")
        }
    }
}
