import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Logs")
    struct LogTests {
        @Test("With --log-format json, each line is a JSON object, and a request's line has the client's X-Request-ID")
        func jsonLines() async throws {
            try await SampleDatabase.with { folder, url in
                try await Server.with(
                    ["--database", url, "--log-level", "trace", "--log-format", "json"], in: folder
                ) { server in
                    _ = try await server.get("/employees/10004", ["X-Request-ID": "from-the-client"])
                    _ = try await server.get("/employees/1?what")
                    let result = await server.stop()
                    let lines = try result.errors.split(separator: "\n").map { try JSONValue(parsing: Data($0.utf8)) }
                    let requests = lines.filter { $0["message"] == "Request" }
                    #expect(requests.count == 2)
                    #expect(requests.first?["metadata"]?["request_id"] == "from-the-client")
                    for request in requests {
                        guard case .string(let identifier) = request["metadata"]?["request_id"] else {
                            Issue.record("a request without an identifier: \(request)")
                            continue
                        }
                        #expect(!identifier.isEmpty)
                    }
                    #expect(lines.allSatisfy { $0["ts"] != nil && $0["level"] != nil && $0["message"] != nil })
                }
            }
        }

        @Test("With --log-format text, the line of a request has its method, identifier and status")
        func textLines() async throws {
            try await SampleDatabase.with { folder, url in
                try await Server.with(
                    ["--database", url, "--log-level", "debug", "--log-format", "text"], in: folder
                ) { server in
                    _ = try await server.get("/employees/10004", ["X-Request-ID": "from-the-client"])
                    let result = await server.stop()
                    #expect(
                        result.errors.contains("debug duet: Request method=GET request_id=from-the-client status=200"))
                }
            }
        }

        @Test(
            "With --log-values=false, no line of the log has a value of a row or of a request",
            arguments: TestBackend.available)
        func noValues(_ backend: TestBackend) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write {
                        try $0.executeScript(
                            """
                            CREATE TABLE lamps (code VARCHAR(20) NOT NULL PRIMARY KEY, maker CHAR(36), room VARCHAR(20));
                            INSERT INTO lamps VALUES ('secret-1', 'secret-2', 'secret-3')
                            """)
                    }
                    let description = """
                        duet: 1
                        resources:
                          lamps:
                            singular: lamp
                            type: Lamp
                            key: [code]
                            fields:
                              code: {type: text}
                              maker: {type: uuid, nullable: true}
                              room: {type: text, nullable: true}
                        """
                    try Data(description.utf8).write(to: folder.appending(path: "api.yaml"))
                    for isIncluded in [true, false] {
                        let arguments = ["--database", database.url.text, "--api", "api.yaml", "--log-level", "trace"]
                        try await Server.with(arguments + ["--log-values=\(isIncluded)"], in: folder) { server in
                            for path in [
                                "/lamps/secret-1", "/lamps?room=secret-3", "/lamps?filter=%7B%22secret-4%22:1%7D",
                            ] {
                                let answer = try await server.get(path)
                                #expect(answer.status >= 400)
                            }
                            let query =
                                #"{"query":"{ lamps(filter: {room: {eq: \"secret-3\"}}) { nodes { maker } } }"}"#
                            #expect(
                                try await server.send("POST", "/graphql", body: query).body.contains("VALUE_MISMATCH"))
                            let log = await server.stop().errors
                            #expect(log.contains("secret") == isIncluded, "\(log)")
                            #expect(log.contains(isIncluded ? "/lamps?room=secret-3" : "/lamps?room=*"), "\(log)")
                            #expect(log.contains("lamps.maker is declared as"), "\(log)")
                            #expect(log.contains(isIncluded ? "a row has the text" : "a row has a text"), "\(log)")
                        }
                    }
                }
            }
        }

        @Test(
            "The password of a database is not in the output at any log level",
            .enabled(if: TestBackend.available.contains(.mariaDB), "needs the MariaDB server that make test starts"))
        func noPassword() async throws {
            try await TestDatabase.withURL(.mariaDB) { url in
                guard case .mariaDB(let location) = url.location else { return }
                try #require(!location.password.isEmpty)
                try await TemporaryFolder.with { folder in
                    try await SampleDatabase.fill(url.text, employees: 20, in: folder)
                    try await Server.with(
                        ["--log-level", "trace"], in: folder, environment: ["DUET_DATABASE": url.text]
                    ) { server in
                        var said = ""
                        for path in [
                            "/employees/10004?details=titles", "/employees/1", "/nowhere", "/openapi.yaml", "/?api",
                        ] {
                            let answer = try await server.get(path)
                            said += "\(answer.headers)\(answer.body)"
                        }
                        let result = await server.stop()
                        said += result.output + result.errors
                        #expect(said.contains("10004"))
                        #expect(!said.contains(location.password))
                    }
                    var wrong = location
                    wrong.password = "hunter2-hidden"
                    let refused = try await Program.run(
                        ["serve", "--log-level", "trace"], in: folder,
                        environment: ["DUET_DATABASE": DatabaseURL(location: .mariaDB(wrong)).text])
                    #expect(refused.status == 69)
                    #expect(!(refused.errors + refused.output).contains("hunter2"))
                }
            }
        }
    }
}
