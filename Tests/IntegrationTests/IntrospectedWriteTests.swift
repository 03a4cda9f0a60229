import DuetSQLDatabase
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("duet introspect --writes")
    struct IntrospectedWriteProgramTests {
        @Test("The description permits writes, which duet serve performs", arguments: TestBackend.available)
        func writes(_ backend: TestBackend) async throws {
            let key = backend == .sqlite ? "INTEGER PRIMARY KEY" : "INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY"
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write { connection in
                        try connection.executeScript(
                            "CREATE TABLE articles (id \(key), name VARCHAR(20) NOT NULL UNIQUE)")
                    }
                    let environment = ["DUET_DATABASE": database.url.text]
                    let plain = try await Program.run(["introspect"], in: folder, environment: environment)
                    #expect(plain.status == 0 && !plain.output.contains("writes:"))
                    let result = try await Program.run(
                        ["introspect", "--writes", "--output", "api.yaml"], in: folder, environment: environment)
                    #expect(result.status == 0, "\(result.errors)")
                    try await Server.with(["--api", "api.yaml"], in: folder, environment: environment) { server in
                        let created = try await server.send("POST", "/articles", body: #"{"name":"tea"}"#)
                        #expect(created.status == 201)
                        #expect(created.body == #"{"id":1,"name":"tea"}"#)
                        let again = try await server.send("POST", "/articles", body: #"{"name":"tea"}"#)
                        #expect(again.status == 409 && again.body.contains(#""field":"name""#))
                    }
                }
            }
        }
    }
}
