import DuetJSON
import DuetPersistedDocuments
import Foundation
import HTTPTypes
import ProcessTesting
import Testing

@testable import DuetClient

/// The transport of live queries.
enum LiveKind: String, CaseIterable, CustomTestStringConvertible {
    case events, socket

    var testDescription: String { rawValue }

    /// Creates a client of a server with short pauses.
    func client(of server: some HTTPEndpoint) throws -> GraphQLClient {
        let url = try #require(URL(string: server.base + "/graphql"))
        let settings = LiveSettings(firstPause: .milliseconds(10), maximumPause: .milliseconds(50))
        return GraphQLClient(
            transport: GraphQLEndpoint(url: url, liveSettings: settings),
            socket: self == .socket ? GraphQLSocket(url: url, liveSettings: settings) : nil,
            store: GraphQLStore(policies: .employees))
    }
}

/// A query with two root fields.
private struct PairQuery: GraphQLQuery {
    struct Data: DataDecodable {
        let first: EmployeeRow?
        let second: EmployeeRow?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            first = try decoder.value("employee", alias: "first", arguments: ["id": .variable("first", "ID!")])
            second = try decoder.value("employee", alias: "second", arguments: ["id": .variable("second", "ID!")])
        }
    }

    var variables: JSONObject { ["first": "10001", "second": "10002"] }
}

private struct WrongQuery: DocumentQuery {
    struct Data: Decodable, Sendable {}

    static let source = "{ unknown }"
}

@Suite("Live queries")
struct LiveQueryTests {
    @Test(
        "Results follow the writes of other clients, also across a restart of the server, and a watch sees them",
        arguments: LiveKind.allCases)
    func server(_ kind: LiveKind) async throws {
        try await SampleDatabase.with(employees: 20) { folder, url in
            var iterator: GraphQLResults<EmployeeRowScreen>.AsyncIterator?
            var port = ""
            try await Server.with(["--database", url], in: folder) { server in
                port = String(server.port)
                let client = try kind.client(of: server)
                let query = EmployeeRowQuery(id: "10004")
                var live = client.live(query).makeAsyncIterator()
                let first = try #require(try await live.next())
                #expect(first.source == .server)
                let name = try #require(try first.get().employee?.lastName)
                var watch = client.watch(query, policy: .cacheDontFetch).makeAsyncIterator()
                #expect(try await watch.next()?.data?.employee?.lastName == name)

                let other = GraphQLClient(transport: try server.graphQL)
                _ = try await other.perform(ArticleCode.RenameEmployee(id: "10004", lastName: "Renamed"))
                #expect(try await live.next()?.data?.employee?.lastName == "Renamed")
                #expect(try await watch.next()?.data?.employee?.lastName == "Renamed")

                var pair = client.live(PairQuery()).makeAsyncIterator()
                let both = try #require(try await pair.next()).get()
                #expect(both.first?.id == "10001")
                #expect(both.second?.id == "10002")
                _ = try await other.perform(ArticleCode.RenameEmployee(id: "10002", lastName: "Second"))
                #expect(try await pair.next()?.data?.second?.lastName == "Second")

                let error = await #expect(throws: GraphQLClientError.self) {
                    for try await _ in client.live(WrongQuery()) {}
                }
                #expect(error?.code == .refused)
                #expect(error?.responseErrors.first?.code == "GRAPHQL_VALIDATION_FAILED")
                iterator = live
                _ = await server.stop()
            }
            let path = url.replacing("sqlite:", with: "")
            let changed = try await Program.shell(
                "sqlite3 '\(path)' \"UPDATE employees SET last_name = 'Later' WHERE emp_no = 10004\"", in: folder)
            try #require(changed.status == 0, "\(changed.errors)")
            try await Program.with(["serve", "--port", port, "--database", url], in: folder) { program in
                _ = try await Server(program)
                let last = try await iterator?.next()
                #expect(last?.data?.employee?.lastName == "Later")
            }
        }
    }

    @Test("A socket runs more live queries than the server permits on a connection")
    func many() async throws {
        try await SampleDatabase.with { folder, database in
            try await Server.with(["--database", database], in: folder) { server in
                let url = try #require(URL(string: server.base + "/graphql"))
                let socket = GraphQLSocket(url: url)
                let client = GraphQLClient(transport: GraphQLEndpoint(url: url), socket: socket)
                var queries: [GraphQLResults<EmployeeRowScreen>.AsyncIterator] = []
                for _ in 0...GraphQLSocket.maximumOperations {
                    var query = client.live(EmployeeRowQuery(id: "10004")).makeAsyncIterator()
                    #expect(try await query.next()?.data?.employee?.lastName == "Koblick")
                    queries.append(query)
                }
                #expect(socket.connectionCount == 2)
                let other = GraphQLClient(transport: try server.graphQL)
                _ = try await other.perform(ArticleCode.RenameEmployee(id: "10004", lastName: "Renamed"))
                for index in queries.indices {
                    #expect(try await queries[index].next()?.data?.employee?.lastName == "Renamed")
                }
            }
        }
    }

    private static func client(_ script: EventScript, clock: RecordingClock = RecordingClock()) throws -> GraphQLClient
    {
        var settings = LiveSettings()
        settings.clock = clock
        settings.jitter = { 1 }
        let url = try #require(URL(string: "https://example.org/graphql"))
        return GraphQLClient(transport: GraphQLEndpoint(url: url, transport: script, liveSettings: settings))
    }

    private static func next(_ lastName: String) -> String {
        "event: next\ndata: \(Answers.employee(lastName: lastName))\n\n"
    }

    @Test("A result that equals the last one of the previous connection is not delivered again")
    func repeated() async throws {
        let first = Signal()
        let clock = RecordingClock()
        let script = EventScript([
            EventScript.events(Self.next("A")),
            EventScript.events(Self.next("A"), after: first),
            EventScript.events(Self.next("A") + Self.next("B") + "event: complete\ndata: \n\n"),
        ])
        var names: [String?] = []
        for try await result in try Self.client(script, clock: clock).live(EmployeeRowQuery(id: "1")) {
            names.append(result.data?.employee?.lastName)
            first.set()
        }
        #expect(names == ["A", "B"])
        #expect(clock.pauses == [.seconds(1), .seconds(1)])
        let body = try #require(script.requests.first?.body)
        let query = try JSONValue(parsing: body)["query"]
        #expect(query == .string("subscription EmployeeRowQueryLive($id:ID!){employee(id:$id){id firstName lastName}}"))
    }

    @Test("An overloaded service is asked again, and any other error of the request ends the sequence")
    func errors() async throws {
        let clock = RecordingClock()
        let overloaded = #"{"errors":[{"message":"busy","extensions":{"code":"OVERLOADED"}}]}"#
        let script = EventScript([
            EventScript.events("event: next\ndata: \(overloaded)\n\nevent: complete\ndata: \n\n"),
            EventScript.response(
                .badRequest, [.contentType: "application/graphql-response+json"], #"{"errors":[{"message":"wrong"}]}"#),
        ])
        let client = try Self.client(script, clock: clock)
        let error = await #expect(throws: GraphQLClientError.self) {
            for try await _ in client.live(EmployeeRowQuery(id: "1")) {}
        }
        #expect(error?.code == .refused)
        #expect(error?.status == 400)
        #expect(error?.responseErrors.map(\.message) == ["wrong"])
        #expect(clock.pauses == [.seconds(1)])
    }

    @Test("A client without a transport for live queries throws an error")
    func unsupported() async throws {
        let client = GraphQLClient(transport: Answers { _ in "" })
        let error = await #expect(throws: GraphQLClientError.self) {
            for try await _ in client.live(EmployeeRowQuery(id: "1")) {}
        }
        #expect(error?.code == .transport)
    }

    @Test("A server that accepts only listed documents receives the identifiers of the subscriptions")
    func listed() async throws {
        var manifest = PersistedQueryManifest()
        for document in try PairQuery.liveDocuments() { try manifest.add(document) }
        let script = EventScript([EventScript.events("event: complete\ndata: \n\n")])
        let url = try #require(URL(string: "https://example.org/graphql"))
        let client = GraphQLClient(
            transport: GraphQLEndpoint(url: url, persistedQueries: .listed(manifest), transport: script))
        for try await _ in client.live(PairQuery()) {}
        #expect(script.requests.count == 2)
        for request in script.requests {
            let body = try JSONValue(parsing: try #require(request.body))
            #expect(body["query"] == nil)
        }
        let error = await #expect(throws: GraphQLClientError.self) {
            for try await _ in client.live(EmployeeRowQuery(id: "1")) {}
        }
        #expect(error?.code == .notListed)
    }
}
