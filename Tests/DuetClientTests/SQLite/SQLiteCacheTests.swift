import DuetClient
import DuetJSON
import Foundation
import ProcessTesting
import Testing

@Suite("A normalized cache in a SQLite file")
struct SQLiteCacheTests {
    private static func withFile<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        try await TemporaryFolder.with { try await body($0.appending(path: "cache.sqlite")) }
    }

    private static func store(_ url: URL, maximumBytes: Int = 1 << 20) throws -> GraphQLStore {
        GraphQLStore(cache: try SQLiteNormalizedCache(at: url, maximumBytes: maximumBytes), policies: .employees)
    }

    private static func write(_ name: String, id: String, in store: GraphQLStore) async throws {
        try await store.withinReadWriteTransaction { transaction in
            try transaction.write(
                ["employee": ["id": .string(id), "firstName": "Ada", "lastName": .string(name)]],
                for: EmployeeRowQuery(id: id))
        }
    }

    private static func lastName(id: String, in store: GraphQLStore) async throws -> String? {
        try await store.withinReadTransaction { (transaction) throws(StoreError) in
            try transaction.read(EmployeeRowQuery(id: id)).data?.employee?.lastName
        }
    }

    @Test("Written records exist after the file is opened again")
    func restart() async throws {
        try await Self.withFile { url in
            try await Self.write("Koblick", id: "1", in: try Self.store(url))
            #expect(try await Self.lastName(id: "1", in: try Self.store(url)) == "Koblick")
        }
    }

    @Test("Each kind of value is read back unchanged")
    func values() async throws {
        try await Self.withFile { url in
            let values: [FieldKey: FieldValue] = [
                "null": .null, "true": true, "false": false, "zero": 0, "least": .integer(.min), "most": .integer(.max),
                "double": .double(-0.1), "empty": "", "text": "Zoë \u{1F600} \0 \"",
                "reference": .reference("Employee:2"),
                "list": .list([1, .null, .list([]), .list(["a", .reference("b")])]),
                "json": .json(["a": [1, nil, "x"]]),
            ]
            try await Self.store(url).withinReadWriteTransaction { transaction in
                try transaction.updateObject("Values") { fields in for (key, value) in values { fields[key] = value } }
            }
            let store = try Self.store(url)
            let read = try await store.withinReadTransaction { (transaction) throws(StoreError) in
                let fields = try transaction.fields(ofObject: "Values")
                return Dictionary(uniqueKeysWithValues: (fields?.keys ?? []).map { ($0, fields?[$0]) })
            }
            #expect(read == values.mapValues { $0 })
        }
    }

    @Test("The error for a damaged file recommends removing the file. After the removal, a new file is created")
    func damaged() async throws {
        try await Self.withFile { url in
            try Data(repeating: 0x55, count: 8192).write(to: url)
            let error = #expect(throws: CacheError.self) { _ = try SQLiteNormalizedCache(at: url) }
            #expect(error?.code == .corrupt)
            #expect(error?.message.contains("SQLiteNormalizedCache.remove(at:)") == true)
            try SQLiteNormalizedCache.remove(at: url)
            try await Self.write("Koblick", id: "1", in: try Self.store(url))
        }
    }

    @Test("A database of another program is rejected and remains unchanged")
    func otherDatabase() async throws {
        try await Self.withFile { url in
            let script = "CREATE TABLE t(a); INSERT INTO t VALUES (1)"
            let made = try await Program.shell(
                "python3 -c \"import sqlite3; c = sqlite3.connect('cache.sqlite'); c.executescript('\(script)')\"",
                in: url.deletingLastPathComponent())
            #expect(made.status == 0)
            let before = try Data(contentsOf: url)
            let error = #expect(throws: CacheError.self) { _ = try SQLiteNormalizedCache(at: url) }
            #expect(error?.code == .corrupt)
            #expect(try Data(contentsOf: url) == before)
        }
    }

    @Test("A file with an older format version is emptied")
    func olderVersion() async throws {
        try await Self.withFile { url in
            try await Self.write("Koblick", id: "1", in: try Self.store(url))
            let changed = try await Program.shell(
                "python3 -c \"import sqlite3; sqlite3.connect('cache.sqlite').execute('PRAGMA user_version = 1')\"",
                in: url.deletingLastPathComponent())
            #expect(changed.status == 0)
            let store = try Self.store(url)
            #expect(try await Self.lastName(id: "1", in: store) == nil)
            try await Self.write("Facello", id: "1", in: store)
            #expect(try await Self.lastName(id: "1", in: try Self.store(url)) == "Facello")
        }
    }

    @Test("A file with a newer format version is rejected")
    func newerVersion() async throws {
        try await Self.withFile { url in
            try await Self.write("Koblick", id: "1", in: try Self.store(url))
            let changed = try await Program.shell(
                "python3 -c \"import sqlite3; sqlite3.connect('cache.sqlite').execute('PRAGMA user_version = 99')\"",
                in: url.deletingLastPathComponent())
            #expect(changed.status == 0)
            let error = #expect(throws: CacheError.self) { _ = try SQLiteNormalizedCache(at: url) }
            #expect(error?.code == .newerVersion)
        }
    }

    @Test("Reading a damaged record is an error. Other records remain readable")
    func damagedRecord() async throws {
        try await Self.withFile { url in
            let store = try Self.store(url)
            try await Self.write("Koblick", id: "1", in: store)
            try await Self.write("Facello", id: "2", in: store)
            let changed = try await Program.shell(
                """
                python3 -c "import sqlite3; c = sqlite3.connect('cache.sqlite'); \
                c.execute('UPDATE records SET fields = x\\'0101ff\\' WHERE key = \\'Employee:1\\''); c.commit()"
                """, in: url.deletingLastPathComponent())
            #expect(changed.status == 0, "\(changed.errors)")
            let again = try Self.store(url)
            await #expect(throws: StoreError.self) { _ = try await Self.lastName(id: "1", in: again) }
            #expect(try await Self.lastName(id: "2", in: again) == "Facello")
        }
    }

    @Test("Two stores on one file read each other's writes")
    func twoStores() async throws {
        try await Self.withFile { url in
            let (left, right) = (try Self.store(url), try Self.store(url))
            try await Self.write("Left", id: "1", in: left)
            #expect(try await Self.lastName(id: "1", in: right) == "Left")
            try await Self.write("Right", id: "1", in: right)
            #expect(try await Self.lastName(id: "1", in: left) == "Right")
        }
    }

    @Test("If the cache exceeds the size limit, the least recently read records are evicted first")
    func bound() async throws {
        try await Self.withFile { url in
            let cache = try SQLiteNormalizedCache(at: url, maximumBytes: 20_000)
            let store = GraphQLStore(cache: cache, policies: .employees)
            try await Self.write("First", id: "0", in: store)
            for id in 1...400 {
                try await Self.write("Somebody", id: "\(id)", in: store)
                #expect(try await Self.lastName(id: "0", in: store) == "First")
            }
            #expect(cache.byteCount <= 20_000)
            #expect(try await Self.lastName(id: "400", in: store) == "Somebody")
            #expect(try await Self.lastName(id: "1", in: store) == nil)
        }
    }

    @Test(
        "On a full disk, a fetch succeeds, the client reports a cache error, and the stored records remain",
        .enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
    func fullDisk() async throws {
        try await SmallFileSystem.with(kilobytes: 1024) { folder in
            let url = folder.appending(path: "cache.sqlite")
            let failures = Failures()
            let cache = try SQLiteNormalizedCache(at: url)
            func client(lastName: String, _ cache: SQLiteNormalizedCache) -> GraphQLClient {
                GraphQLClient(
                    transport: ConstantAnswer(
                        #"{"data":{"employee":{"id":"1","firstName":"Ada","lastName":"\#(lastName)"}}}"#),
                    store: GraphQLStore(cache: cache, policies: .employees), onCacheError: { failures.add($0) })
            }
            let query = EmployeeRowQuery(id: "1")
            _ = try await client(lastName: "First", cache).fetch(query)
            let filler = try SmallFileSystem.fill(folder)
            let long = String(repeating: "n", count: 100_000)
            let result = try await client(lastName: long, cache).fetch(query, policy: .fetchIgnoringCacheData)
            #expect(result.data?.employee?.lastName == long)
            #expect(failures.codes == [.full])
            let acknowledged = try await client(lastName: "", cache).fetch(query, policy: .cacheDontFetch)
            #expect(acknowledged.data?.employee?.lastName == "First")
            try FileManager.default.removeItem(at: filler)
            _ = try await client(lastName: "Later", cache).fetch(query, policy: .fetchIgnoringCacheData)
            let later = try await client(lastName: "", SQLiteNormalizedCache(at: url)).fetch(
                query, policy: .cacheDontFetch)
            #expect(later.data?.employee?.lastName == "Later")
            #expect(failures.codes == [.full])
        }
    }

    @Test(
        "Opening a cache on a full disk is an error with the code `full`",
        .enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
    func openingOnFullDisk() async throws {
        try await SmallFileSystem.with(kilobytes: 64) { folder in
            _ = try SmallFileSystem.fill(folder)
            let error = #expect(throws: CacheError.self) {
                _ = try SQLiteNormalizedCache(at: folder.appending(path: "cache.sqlite"))
            }
            #expect(error?.code == .full)
        }
    }
}
