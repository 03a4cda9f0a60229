import AsyncHTTPClient
import DuetSQLDatabase
import Foundation
import NIOCore
import NIOHTTP1
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("duet serve from start to end")
    struct StartTests {
        private let published = """
            {"employeeNumber":10004,"firstName":"Chirstian","lastName":"Koblick","titles":[{"title":"Senior Engineer",\
            "fromDate":817794000000,"toDate":253370782800000},{"title":"Engineer","fromDate":533797200000,\
            "toDate":817794000000}],"salaries":[{"salary":74057,"fromDate":1006837200000,"toDate":253370782800000},
            """.replacing("\n", with: "")

        @Test("With the environment variables of the container image, the server creates and serves a sample")
        func imageEnvironment() async throws {
            let dockerfile = try Checkout.text("Dockerfile").replacing("\\\n", with: " ")
            var environment: [String: String] = [:]
            for setting in dockerfile.matches(of: /(DUET_[A-Z_]+)=(\S+)/) {
                environment[String(setting.1)] = String(setting.2)
            }
            #expect(environment["DUET_HOST"] == "0.0.0.0" && environment["DUET_PORT"] == "8080")
            environment["DUET_HOST"] = nil
            environment["DUET_PORT"] = nil
            try await TemporaryFolder.with { folder in
                try await Server.with(in: folder, environment: environment) { server in
                    let published = try await server.get("/employees/10004")
                    #expect(published.status == 200)
                    let ready = try await server.get("/health/ready")
                    #expect(ready.status == 200)
                }
            }
        }

        @Test(
            "With a low limit on open files, the server opens fewer connections, and logs their number and the reason"
        )
        func fewFiles() async throws {
            try await SampleDatabase.with { folder, url in
                let script = "ulimit -n 300; exec '\(Products.duet)' serve --port 0 --database '\(url)'"
                try await Program.with(["-c", script], of: "/bin/bash", in: folder) { program in
                    let server = try await Server(program)
                    let published = try await server.get("/employees/10004")
                    #expect(published.status == 200)
                    let result = await server.stop()
                    #expect(result.errors.contains("ulimit -n") && result.errors.contains("44"), "\(result.errors)")
                }
            }
        }

        @Test("The first start creates the sample database, and the four printed curl commands work")
        func firstStart() async throws {
            try await TemporaryFolder.with { folder in
                try await Server.with(in: folder) { server in
                    try await server.program.output.wait(for: "an editor for queries.\n")
                    let commands = server.program.output.text.split(separator: "\n")
                        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("curl ") }
                    #expect(commands.count == 4)
                    var answers: [String] = []
                    for command in commands {
                        let result = try await Program.shell(command, in: folder)
                        #expect(result.status == 0, "\(command): \(result.errors)")
                        answers.append(result.output)
                    }
                    #expect(answers[0].hasPrefix(published))
                    #expect(answers[1].contains("200 OK") && answers[1].contains("Georgiou"))
                    #expect(answers[2].hasPrefix("salary,fromDate,toDate\r\n74057,"))
                    #expect(server.program.errors.text.contains("Creating the sample database .duet/employees.sqlite"))
                }
                let made = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: ".duet").path)
                #expect(made.contains("employees.sqlite") && !made.contains { $0.contains("new") })
            }
        }

        @Test("A second start uses the existing database and creates nothing")
        func secondStart() async throws {
            try await SampleDatabase.with { folder, url in
                let folders = FileManager.default
                try folders.createDirectory(at: folder.appending(path: ".duet"), withIntermediateDirectories: true)
                try folders.moveItem(
                    at: folder.appending(path: "sample.sqlite"), to: folder.appending(path: ".duet/employees.sqlite"))
                let location = try await Server.with(in: folder) { server in
                    let made = try await server.send(
                        "POST", "/employees",
                        body: """
                            {"firstName":"Ada","lastName":"Okonkwo","birthDate":"1970-03-01","gender":"F","hireDate":"2001-09-17"}
                            """)
                    #expect(made.status == 201)
                    #expect(await server.stop().status == 0)
                    return try #require(made.headers.first(name: "Location"))
                }
                try await Server.with(in: folder) { server in
                    let kept = try await server.get(location)
                    #expect(kept.status == 200 && kept.body.contains("Okonkwo"))
                    #expect(!server.program.errors.text.contains("Creating the sample"))
                }
            }
        }

        @Test("On SIGTERM, the server completes the current request, refuses connections and ends with exit status 0")
        func gracefulEnd() async throws {
            try await SampleDatabase.with(employees: 20_000) { folder, url in
                try await Server.with(["--database", url, "--log-level", "debug"], in: folder) { server in
                    let headers = ["Accept": "application/x-ndjson"]
                    var export = try await server.stream("GET", "/salaries", headers).body.makeAsyncIterator()
                    var received = try await export.next() ?? ByteBuffer()
                    server.program.send(SIGTERM)
                    try await server.program.errors.wait(for: "Shutting down")
                    while var piece = try await export.next() { received.writeBuffer(&piece) }
                    // The response exceeds the buffers of the sockets, and ends with the last row of the table.
                    #expect(received.readableBytes > 10_000_000)
                    let database = Database(try DatabaseURL(url))
                    let last = try await database.read { connection in
                        let rows = try connection.query(
                            "SELECT emp_no, salary FROM salaries ORDER BY emp_no DESC, from_date LIMIT 1")
                        guard try rows.next() else { return "" }
                        return #"{"employeeNumber":\#(rows.integer(at: 0)),"salary":\#(rows.integer(at: 1)),"#
                    }
                    await database.close()
                    let end = String(decoding: received.readableBytesView.suffix(200), as: UTF8.self)
                    #expect(end.hasSuffix("}\n") && end.split(separator: "\n").last?.hasPrefix(last) == true, "\(end)")
                    #expect(await server.program.result().status == 0)
                    // curl's exit status for a refused connection.
                    #expect(try await Program.shell("curl \(server.base)/health/live", in: folder).status == 7)
                }
            }
        }

        @Test("SIGINT ends the server with exit status 0", .timeLimit(.minutes(15)))
        func interrupt() async throws {
            try await SampleDatabase.with { folder, url in
                try await Server.with(["--database", url], in: folder) { server in
                    let ready = try await server.get("/health/ready")
                    #expect(ready.status == 200)
                    server.program.send(SIGINT)
                    #expect(await server.program.result().status == 0)
                }
            }
        }

        @Test("Settings can come from the environment")
        func environment() async throws {
            try await SampleDatabase.with { folder, url in
                let environment = [
                    "DUET_DATABASE": url, "DUET_PORT": "0", "DUET_HOST": "127.0.0.1", "DUET_DATES": "iso",
                    "DUET_MAX_AGE": "30", "DUET_LOG_FORMAT": "text", "DUET_LOG_LEVEL": "debug", "DUET_POOL_SIZE": "2",
                ]
                try await Program.with(["serve"], in: folder, environment: environment) { program in
                    let server = try await Server(program)
                    let answer = try await server.get("/employees/10004?fields=hireDate")
                    #expect(answer.body == #"{"hireDate":"1986-12-01"}"#)
                    #expect(answer.headers.first(name: "Cache-Control") == "max-age=30, public")
                    try await program.errors.wait(for: "debug duet: Request")
                }
            }
        }

        @Test("Options on the command line override the environment")
        func flagsFirst() async throws {
            try await SampleDatabase.with { folder, url in
                let environment = [
                    "DUET_DATABASE": "sqlite:nowhere.sqlite", "DUET_PORT": "none", "DUET_DATES": "iso",
                    "DUET_TIME_ZONE": "UTC",
                ]
                try await Server.with(
                    ["--database", url, "--dates", "milliseconds", "--time-zone", "America/New_York"], in: folder,
                    environment: environment
                ) { server in
                    let answer = try await server.get("/employees/10004?fields=hireDate")
                    #expect(answer.body == #"{"hireDate":533797200000}"#)
                }
            }
        }
    }
}
