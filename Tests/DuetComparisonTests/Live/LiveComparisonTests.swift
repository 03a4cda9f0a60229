import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import ServerTestSupport
import TestSupport
import Testing

@testable import DuetComparison
@testable import duet

/// Each change follows the arrival of the previous one in all ways, so the tests depend on no time.
@Suite("Watching a screen in all ways") struct LiveComparisonTests {
    private static let pace = LivePace.afterArrival(changes: 3, pollingInterval: .milliseconds(20))

    /// Watches on one server. So the statements are those of all ways, and the other figures are those of each way.
    private static func results(_ task: LiveTask, _ base: String) async throws -> LiveComparison.Results {
        let servers = LiveWay.allCases.map { (way: $0, base: base) }
        return try await LiveComparison(task, writer: base, servers: servers, pace: pace).run()
    }

    @Test(
        "All ways show each change and end with the state of the database. Events need one request, and patches have fewer bytes",
        arguments: TestBackend.available)
    func sample(backend: TestBackend) async throws {
        try await SampleServer.with(backend) { origin in
            let (report, failures) = try await Self.results(try LiveTask.employees, origin)
            #expect(failures.isEmpty && report.isEqual && report.changes == 3, "\(failures) \(report)")
            #expect(report.ways.map(\.way) == LiveWay.allCases)
            var bytes: [LiveWay: Int] = [:]
            for way in report.ways {
                bytes[way.way] = way.down
                #expect(way.shown.missed.isEmpty && !way.shown.delays.contains(nil), "\(way)")
                #expect(way.up > 100 && way.down > 1000 && (way.statements ?? 0) > 0, "\(way)")
                switch way.way {
                case .restEvents, .restPatches, .graphQLEvents, .graphQLWebSocket: #expect(way.requests == 1)
                // The first answer, the three changes, and the request that waits at the end.
                case .restLongPolling: #expect(way.requests == 4 || way.requests == 5, "\(way)")
                default: #expect(way.requests >= 4, "\(way)")
                }
            }
            let (patches, events) = (try #require(bytes[.restPatches]), try #require(bytes[.restEvents]))
            #expect(patches < events / 2)
        }
    }

    @Test("A way that the server refuses is skipped with the reason. The others are still compared")
    func refused() async throws {
        var settings = ServerSettings()
        settings.live.limits.watchers = 0
        try await SampleServer.with(settings: settings) { origin in
            let (report, failures) = try await Self.results(try LiveTask.employees, origin)
            let waiting = LiveWay.allCases.filter { !$0.isPolling }
            #expect(report.ways.map(\.way) == LiveWay.allCases.filter(\.isPolling) && report.isEqual)
            #expect(failures.map(\.scenario) == waiting.map { "live, \($0.title)" })
            #expect(failures.allSatisfy { $0.isOfAnswer && !$0.description.isEmpty }, "\(failures)")
        }
    }

    private static func withShop(
        _ backend: TestBackend, orders: Int,
        _ body: @Sendable @escaping (LiveTask, _ base: String) async throws -> Void
    ) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { connection in
                try connection.executeScript(
                    """
                    CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, note VARCHAR(40) NOT NULL);
                    CREATE TABLE order_details (order_id INTEGER NOT NULL, line_no INTEGER NOT NULL,
                      article VARCHAR(40) NOT NULL, PRIMARY KEY (order_id, line_no),
                      FOREIGN KEY (order_id) REFERENCES orders (id));
                    """)
                for id in 1...orders {
                    try connection.execute("INSERT INTO orders VALUES (\(id), 'note \(id) x')")
                    try connection.execute("INSERT INTO order_details VALUES (\(id), 1, 'tea')")
                }
            }
            let described = try await DescribedDatabase(
                database.url.withPassword, api: nil, source: "--database", writes: true)
            guard case .copy(let task, _, _) = try await described.watchedScreen() else { return }
            // The service of the description opens the database read-only.
            let service = try await described.withoutRoles { service, _, _ in
                ResourceService(service.catalogue, database: database, encoding: service.encoding)
            }
            try await ServiceServer.with(service) { try await body(try task.get(), $0.base) }
        }
    }

    @Test("In another database, a list with a relation is watched", arguments: TestBackend.available)
    func described(backend: TestBackend) async throws {
        try await Self.withShop(backend, orders: 5) { task, base in
            let (report, failures) = try await Self.results(task, base)
            #expect(failures.isEmpty && report.isEqual && report.changes == 3, "\(failures) \(report)")
            #expect(report.task == "Watch twenty orders, each with its orderDetails.")
            #expect(task.request.target.hasPrefix("/orders?first=20&fields=id,note&details=orderDetails"))
            #expect(task.subscription.hasPrefix("subscription Screen {"))
        }
    }

    @Test("If a screen has only two states, it is changed once, so that each answer shows which changes precede it")
    func oneChange() async throws {
        try await Self.withShop(.sqlite, orders: 1) { task, base in
            let (report, failures) = try await Self.results(task, base)
            #expect(failures.isEmpty && report.isEqual && report.changes == 1, "\(failures) \(report)")
        }
    }
}
