import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetServer
import Logging
import ProcessTesting
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@Suite("The log of rejected writes") struct RejectionLogTests {
    /// The text and the metadata of each line of at least the level `notice`.
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var logLevel = Logger.Level.notice
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
            lines.all.withLock { $0.append("\(event.message): \(metadata)") }
        }
    }

    private static func trigger(_ backend: TestBackend) -> String {
        backend == .sqlite
            ? """
            CREATE TRIGGER no_gift BEFORE UPDATE ON orders WHEN NEW.note = 'no'
            BEGIN SELECT RAISE(ABORT, 'orders of bob are closed'); END
            """
            : """
            CREATE TRIGGER no_gift BEFORE UPDATE ON orders FOR EACH ROW
            IF NEW.note = 'no' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'orders of bob are closed'; END IF
            """
    }

    @Test(
        "The message of a trigger, which callers of roles do not receive, is logged", arguments: TestBackend.available)
    func trigger(_ backend: TestBackend) async throws {
        let role = Role("clerk", reads: ["orders": .init()], writes: ["orders": .init(update: .init())])
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(WritableShop.script) }
            try await database.write { try $0.execute(Self.trigger(backend)) }
            let api = try APIDescription(reading: WritableShop.description, file: "shop.yaml")
                .fitted(to: try await database.read { try DatabaseSchema.read($0) })
            let service = ResourceService(api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
            let lines = Lines()
            let logger = Logger(label: "test") { _ in Handler(lines: lines) }
            try await ServiceServer.with(service, access: try AccessSettings(roles: [role]), logger: logger) { server in
                let shop = WritableShop(server: server, database: database)
                let caller: JSONObject = ["role": "clerk"]
                let answer = try await shop.send("PATCH", "/orders/10", ["note": "no"], caller: caller)
                #expect(answer.status == 422 && !answer.body.contains("bob"))
                let mutation = try await shop.execute(
                    #"mutation { updateOrder(id: 10, patch: {note: "no"}) { errors { message } } }"#, caller: caller)
                #expect(mutation["data"]?["updateOrder"]?["errors"] != nil)
                #expect(!mutation.compactText.contains("bob"))
                let line =
                    "Change rejected by the database: reason=a trigger of orders: orders of bob are closed request_id=the-same"
                #expect(lines.all.withLock { $0 } == [line, line])
            }
        }
    }
}
