import Foundation
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("duet serve on a Unix domain socket")
    struct SocketTests {
        /// Runs a server on the socket `d.sock` of a folder.
        static func withServer(
            _ arguments: [String], in folder: URL, environment: [String: String] = [:],
            _ body: (Program) async throws -> Void
        ) async throws {
            try await Program.with(
                ["serve", "--socket", "d.sock"] + arguments, in: folder, environment: environment
            ) { program in
                try await program.output.wait(for: "Duet serves on the socket d.sock. Try:")
                try await body(program)
            }
        }

        @Test("The socket has the mode of the option, the printed commands work, and the file is removed at the end")
        func socket() async throws {
            try await SampleDatabase.with { folder, url in
                try await Self.withServer(["--database", url, "--socket-mode", "0666"], in: folder) { program in
                    try await program.output.wait(for: "{ title } } }\"}'\n")
                    let commands = program.output.text.split(separator: "\n")
                        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("curl ") }
                    #expect(commands.count == 4)
                    for command in commands {
                        let result = try await Program.shell(command, in: folder)
                        #expect(result.status == 0 && !result.output.isEmpty, "\(command): \(result.errors)")
                    }
                    let mode = try await Program.shell("stat -c %a d.sock", in: folder)
                    #expect(mode.output == "666\n")
                    program.send(SIGTERM)
                    let result = await program.result()
                    #expect(result.status == 0, "\(result.errors)")
                }
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "d.sock").path))
            }
        }

        @Test("A second server is refused, and after a kill, the next one replaces the socket")
        func second() async throws {
            try await SampleDatabase.with { folder, url in
                let options = ["--database", url]
                try await Self.withServer(options, in: folder) { program in
                    let second = try await Program.run(["serve", "--socket", "d.sock"] + options, in: folder)
                    #expect(second.status == 69)
                    #expect(
                        second.errors.contains(
                            "another server listens on the socket d.sock; stop it, or choose another path with --socket"
                        ))
                    program.send(SIGKILL)
                    _ = await program.result()
                }
                #expect(FileManager.default.fileExists(atPath: folder.appending(path: "d.sock").path))
                try await Self.withServer(options, in: folder) { _ in
                    let answer = try await Program.shell(
                        "curl --unix-socket d.sock http://localhost/departments/d005?fields=departmentName",
                        in: folder)
                    #expect(answer.output == #"{"departmentName":"Development"}"#, "\(answer.errors)")
                }
            }
        }

        @Test("A socket that cannot be created is refused with what to change")
        func refusals() async throws {
            try await SampleDatabase.with { folder, url in
                let cases: [([String], Int32, String)] = [
                    (
                        ["--socket", String(repeating: "s", count: 200)], 64,
                        "--socket must be a path of at most 107 bytes"
                    ),
                    (
                        ["--socket", "none/d.sock"], 69,
                        "cannot create the socket none/d.sock: No such file or directory"
                    ),
                    (["--socket", "/proc/d.sock"], 69, "cannot create the socket /proc/d.sock"),
                    (["--socket", "sample.sqlite"], 69, "sample.sqlite exists and is not a socket"),
                    (["--socket", "d.sock", "--port", "1"], 64, "--port cannot be combined with --socket"),
                    (["--socket", "d.sock", "--socket-mode", "0500"], 64, "an octal number from 0600 to 0777"),
                    (
                        ["--socket", "d.sock", "--socket-group", "no-such-group"], 64,
                        "the name or the number of a group"
                    ),
                    (["--socket-mode", "0600"], 64, "--socket-mode requires --socket"),
                    (["--trace-sample-ratio", "0.5"], 64, "--trace-sample-ratio requires --otlp-endpoint"),
                    (
                        ["--tls-client-certificates", "required"], 64,
                        "--tls-client-certificates requires --tls-client-authorities"
                    ),
                ]
                for (arguments, status, error) in cases {
                    let result = try await Program.run(["serve", "--database", url] + arguments, in: folder)
                    #expect(result.status == status && result.errors.contains(error), "\(arguments): \(result.errors)")
                }
                let variable = try await Program.run(
                    ["serve", "--database", url], in: folder, environment: ["DUET_SOCKET": "none/d.sock"])
                #expect(variable.status == 69 && variable.errors.contains("with DUET_SOCKET"), "\(variable.errors)")
            }
        }

        @Test("DUET_SOCKET has precedence over DUET_PORT, but not over --port")
        func precedence() async throws {
            try await SampleDatabase.with { folder, url in
                let environment = ["DUET_SOCKET": "d.sock", "DUET_PORT": "1", "DUET_HOST": "0.0.0.0"]
                try await Program.with(["serve", "--database", url], in: folder, environment: environment) { program in
                    try await program.output.wait(for: "Duet serves on the socket d.sock. Try:")
                }
                try await Server.with(["--database", url], in: folder, environment: ["DUET_SOCKET": "e.sock"]) {
                    server in
                    let live = try await server.get("/health/live")
                    #expect(live.status == 200)
                }
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "e.sock").path))
            }
        }

        @Test("A client of the socket is a client on this machine, but not if a proxy has forwarded its request")
        func rules() async throws {
            let description = """
                duet: 1
                resources:
                  departments:
                    singular: department
                    type: Department
                    key: [number]
                    fields: {number: {column: dept_no, type: text}}
                roles:
                  reader:
                    resources: {departments: {read: {}}}

                """
            try await SampleDatabase.with { folder, url in
                try Data(description.utf8).write(to: folder.appending(path: "api.yaml"))
                let options = ["--database", url, "--api", "api.yaml", "--anonymous-role", "reader"]
                try await Self.withServer(options, in: folder) { _ in
                    let result = try await Program.shell(
                        """
                        status() { curl --unix-socket d.sock --no-fail-with-body -o /dev/null -w '%{http_code}\\n' "$@"; }
                        status http://localhost/departments
                        status http://other.example/departments
                        status http://localhost/metrics
                        status -H 'X-Forwarded-For: 192.0.2.1' http://localhost/metrics
                        """, in: folder)
                    #expect(result.output == "200\n421\n200\n404\n", "\(result.errors)")
                }
            }
        }
    }
}
