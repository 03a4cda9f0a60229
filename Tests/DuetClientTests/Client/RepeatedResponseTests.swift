import DuetClient
import DuetJSON
import Foundation
import ProcessTesting
import Testing

@Suite("A repeated response with the same bytes")
struct RepeatedResponseTests {
    private static let row = EmployeeRowQuery(id: "1")

    private static func answers(cacheControl: String = "max-age=60") -> Answers {
        Answers(cacheControl: cacheControl) { request in
            request.document.text.contains("employees") ? Answers.employees : Answers.employee()
        }
    }

    private static func client(
        _ cache: any NormalizedCache, _ clock: TestClock, _ answers: Answers = answers()
    ) -> GraphQLClient {
        GraphQLClient(
            transport: answers, store: GraphQLStore(cache: cache, policies: .employees, clock: clock.now))
    }

    @Test(
        "A repeated response makes its fields fresh again, even if another query has received the fields meanwhile",
        arguments: CacheKind.allCases)
    func otherQuery(cache: CacheKind) async throws {
        try await cache.withCache { cache in
            let clock = TestClock()
            let client = Self.client(cache, clock)
            _ = try await client.fetch(EmployeesQuery())
            _ = try await client.fetch(Self.row, policy: .fetchIgnoringCacheData)
            clock.advance(by: .seconds(30))
            _ = try await client.fetch(EmployeesQuery(), policy: .fetchIgnoringCacheData)
            clock.advance(by: .seconds(100))
            #expect(try await client.fetch(Self.row).source == .server)
            #expect(try await client.fetch(Self.row).source == .cache)
        }
    }

    @Test(
        "A repeated response makes its fields fresh again, even if the app has written the fields meanwhile",
        arguments: CacheKind.allCases)
    func localWrite(cache: CacheKind) async throws {
        try await cache.withCache { cache in
            let clock = TestClock()
            let client = Self.client(cache, clock)
            _ = try await client.fetch(Self.row)
            clock.advance(by: .seconds(30))
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.updateObject("Employee:1") { $0["lastName"] = "A" }
            }
            clock.advance(by: .seconds(100))
            #expect(try await client.fetch(Self.row).source == .server)
            #expect(try await client.fetch(Self.row).source == .cache)
        }
    }

    @Test("The cached result has the time of the repeated response", arguments: CacheKind.allCases)
    func received(cache: CacheKind) async throws {
        try await cache.withCache { cache in
            let clock = TestClock()
            let client = Self.client(cache, clock)
            _ = try await client.fetch(Self.row)
            clock.advance(by: .seconds(100))
            #expect(try await client.fetch(Self.row, policy: .fetchIgnoringCacheData).received == clock.now())
            #expect(try await client.fetch(Self.row, policy: .cacheDontFetch).received == clock.now())
        }
    }

    @Test("The SQLite file contains the time of the repeated response")
    func restart() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder.appending(path: "cache.sqlite")
            let clock = TestClock()
            let client = Self.client(try SQLiteNormalizedCache(at: url), clock)
            _ = try await client.fetch(Self.row)
            clock.advance(by: .seconds(100))
            #expect(try await client.fetch(Self.row).source == .server)
            let restarted = Self.client(try SQLiteNormalizedCache(at: url), clock)
            #expect(try await restarted.fetch(Self.row).source == .cache)
        }
    }

    @Test("A repeated response is cached again after another process cleared the file")
    func otherProcess() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder.appending(path: "cache.sqlite")
            let client = Self.client(try SQLiteNormalizedCache(at: url), TestClock())
            _ = try await client.fetch(Self.row)
            try SQLiteNormalizedCache(at: url).removeAll()
            _ = try await client.fetch(Self.row, policy: .fetchIgnoringCacheData)
            #expect(try await client.fetch(Self.row, policy: .cacheDontFetch).data?.employee?.lastName == "A")
        }
    }

    @Test("A repeated response is cached even if the first response had no-store", arguments: CacheKind.allCases)
    func noStore(cache: CacheKind) async throws {
        try await cache.withCache { cache in
            let answers = Self.answers(cacheControl: "no-store")
            let client = Self.client(cache, TestClock(), answers)
            _ = try await client.fetch(Self.row)
            await #expect(throws: GraphQLClientError.self) {
                try await client.fetch(Self.row, policy: .cacheDontFetch)
            }
            answers.set(cacheControl: "max-age=60")
            _ = try await client.fetch(Self.row)
            #expect(try await client.fetch(Self.row, policy: .cacheDontFetch).data?.employee?.lastName == "A")
        }
    }

    @Test(
        "The Cache-Control field of the repeated response determines how long the values are fresh",
        arguments: CacheKind.allCases)
    func otherMaximumAge(cache: CacheKind) async throws {
        try await cache.withCache { cache in
            let clock = TestClock()
            let answers = Self.answers()
            let client = Self.client(cache, clock, answers)
            _ = try await client.fetch(Self.row)
            answers.set(cacheControl: "max-age=1000")
            _ = try await client.fetch(Self.row, policy: .fetchIgnoringCacheData)
            clock.advance(by: .seconds(100))
            #expect(try await client.fetch(Self.row).source == .cache)
        }
    }

    private struct CountedScreen: DataDecodable {
        @TaskLocal static var decodings = Counter()

        init(from decoder: DynamicDecoder) throws(ModelError) {
            let row: EmployeeRow? = try decoder.value("employee", arguments: ["id": "1"])
            if row?.lastName == "A" { Self.decodings.increment() }
        }
    }

    private struct CountedQuery: GraphQLQuery { typealias Data = CountedScreen }

    @Test("A repeated response is not decoded again if the store has not changed meanwhile")
    func sameResult() async throws {
        let client = Self.client(InMemoryNormalizedCache(), TestClock())
        let counter = Counter()
        try await CountedScreen.$decodings.withValue(counter) {
            for _ in 0..<3 { _ = try await client.fetch(CountedQuery(), policy: .fetchIgnoringCacheData) }
        }
        #expect(counter.value == 1)
    }
}
