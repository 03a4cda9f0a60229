import DuetSQLDatabase
import DuetServer
import NIOHTTP1
import TestSupport
import Testing

@Suite("Databases that reject writes")
struct RefusedWriteTests {
    private struct Refusal: Sendable, CustomTestStringConvertible {
        let number: Int
        let status: Int
        let code: String
        var testDescription: String { "\(number)" }
    }

    private static let refusals = [
        Refusal(number: 1021, status: 507, code: "database-full"),
        Refusal(number: 1114, status: 507, code: "database-full"),
        Refusal(number: 1290, status: 503, code: "database-read-only"),
        Refusal(number: 1836, status: 503, code: "database-read-only"),
        Refusal(number: 1024, status: 503, code: "database-io-error"),
    ]

    @Test(
        "A write that MariaDB rejects has a specific problem code over REST and GraphQL, and the next write succeeds",
        .enabled(if: TestBackend.available.contains(.mariaDB)), arguments: refusals)
    private func mariaDB(_ refusal: Refusal) async throws {
        try await withServer(.mariaDB) { server in
            try await server.database.write {
                try $0.executeScript(
                    """
                    CREATE TRIGGER refuse BEFORE UPDATE ON employees FOR EACH ROW
                    SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = \(refusal.number), MESSAGE_TEXT = 'no'
                    """)
            }
            try await expectRefusal(by: server, refusal.status, refusal.code)
            try await server.database.write { try $0.executeScript("DROP TRIGGER refuse") }
            try await expectWrites(server)
        }
    }

    @Test(
        "A write to a SQLite file that cannot grow has the code database-full, and the next write succeeds"
    )
    func fullFile() async throws {
        // The pragma max_page_count applies to one connection, so the pool has only one connection.
        try await withServer(.sqlite, configuration: DatabaseConfiguration(poolSize: 1)) { server in
            try await server.database.write { connection in
                try connection.executeScript("CREATE TABLE filler (text TEXT)")
                for _ in 0..<64 { try connection.execute("INSERT INTO filler VALUES (zeroblob(1024))") }
                try connection.execute(
                    """
                    CREATE TRIGGER grow AFTER UPDATE ON employees BEGIN INSERT INTO filler VALUES (zeroblob(65536)); END
                    """)
                try connection.executeScript("PRAGMA max_page_count = 1")
            }
            try await expectRefusal(by: server, 507, "database-full")
            try await server.database.write { try $0.executeScript("PRAGMA max_page_count = 1000000") }
            try await expectWrites(server)
        }
    }

    private func expectRefusal(by server: TestServer, _ status: Int, _ code: String) async throws {
        let write = try await server.client.send(.PATCH, "/employees/20001", json: #"{"lastName":"Mine"}"#)
        #expect(write.status == status && write.code == code, "\(write.text)")
        #expect((write["Retry-After"] != nil) == (status == 503))
        let mutation = try await server.client.graphQL(
            #"mutation { updateEmployee(input: {id: 20001, lastName: "Mine"}) { employee { lastName } } }"#)
        #expect(mutation.codes == [code.uppercased().replacing("-", with: "_")], "\(mutation.text)")
        #expect(try await server.client.get("/employees/20001").string("lastName") == "O'Brien")
        #expect(try await server.client.get("/problems/\(code)").status == 200)
    }

    private func expectWrites(_ server: TestServer) async throws {
        let write = try await server.client.send(.PATCH, "/employees/20001", json: #"{"lastName":"Mine"}"#)
        #expect(write.status == 200 && write.string("lastName") == "Mine", "\(write.text)")
    }
}
