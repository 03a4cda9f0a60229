import Foundation
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("Example programs")
    struct ExampleTests {
        @Test("employee-browser lists, finds and shows employees, and shows cached data after the server stops")
        func browser() async throws {
            try await withServer { server, folder in
                try await Self.start("employee-browser \(server.base)", in: folder) { program, input in
                    try await program.output.wait(for: "> ")
                    try input.write("list")
                    try await program.output.wait(for: "Type next for more.\n(from the server)\n> ")
                    try input.write("next")
                    try await program.output.wait(for: "10020  ")
                    try input.write("find Kob*")
                    try await program.output.wait(for: "> 10004  Chirstian Koblick\n(from the server)\n> ")
                    try input.write("show 10004")
                    try await program.output.wait(for: "  1995  Senior Engineer\n  1986  Engineer\n  2001  74057\n")
                    try await program.output.wait(for: "  1986  40054\n(from the server)\n> ")

                    _ = await server.stop()
                    let online = program.output.text
                    try input.write("list\nnext\nshow 10004\nshow 10005\nshow 1\nquit")
                    let result = await program.result()
                    #expect(result.status == 0, "\(result.errors)")
                    let offline = result.output.dropFirst(online.count)
                    #expect(offline.contains("10001  ") && offline.contains("10020  "))
                    #expect(offline.contains("  1995  Senior Engineer"))
                    #expect(offline.matches(of: Self.age).count == 3)
                    #expect(offline.contains("The cache has only the name."))
                }
            }
        }

        @Test("After a restart, employee-browser shows cached data without a server")
        func restart() async throws {
            try await withServer { server, folder in
                let command = "employee-browser \(server.base) --cache kept.sqlite"
                try await Self.start(command, in: folder) { program, input in
                    try input.write("show 10004\nquit")
                    #expect(await program.result().status == 0)
                }
                _ = await server.stop()
                try await Self.start(command, in: folder) { program, input in
                    try input.write("show 10004\nquit")
                    let result = await program.result()
                    #expect(result.output.contains("  1995  Senior Engineer"))
                    #expect(result.output.contains(Self.age))
                }
            }
        }

        @Test("A task that watches a query receives the changes by mutations of another task")
        func watcher() async throws {
            try await withServer { server, folder in
                let result = try await Program.shell("watcher \(server.base) 10004 Smith", in: folder)
                #expect(
                    result.output == """
                        watched: Chirstian Koblick (from the server)
                        mutation: Smith
                        watched: Chirstian Smith (from the cache)
                        mutation: Koblick
                        watched: Chirstian Koblick (from the cache)

                        """, "\(result.errors)")
                #expect(result.status == 0)
                let live = try await Program.shell("watcher \(server.base) 10004 Smith live", in: folder)
                #expect(live.output == result.output.replacing("cache", with: "server"), "\(live.errors)")
            }
        }

        @Test("REST and GraphQL produce the same screen, and a request with a hash is at least 88 % smaller")
        func sameScreen() async throws {
            try await withServer { server, folder in
                let result = try await Program.shell("same-screen \(server.base)", in: folder)
                #expect(result.status == 0, "\(result.errors)")
                #expect(result.output.contains("The screens are equal."))
                #expect(result.output.contains("140 lines: document"))
                let share = try #require(result.output.firstMatch(of: /is (\d+) % smaller/)?.1)
                #expect(try #require(Int(share)) >= 88, "\(result.output)")
            }
        }

        @Test("The list of the tutorial is updated after a mutation and is available without a server")
        func offlineList() async throws {
            try await withServer { server, folder in
                let command = "offline-list \(server.base) list.sqlite"
                try await Self.start(command, in: folder) { program, input in
                    try await program.output.wait(for: "From the server.\n")
                    #expect(program.output.text.contains("10004  Chirstian Koblick\n"))
                    try input.write("10004 Smith")
                    try await program.output.wait(for: "10004  Chirstian Smith\n")
                }
                _ = await server.stop()
                try await Self.start(command, in: folder) { program, input in
                    try await program.output.wait(for: "The request failed. The oldest value was received at ")
                    #expect(program.output.text.contains("10004  Chirstian Smith\n"))
                }
            }
        }

        /// The line that employee-browser prints below data from the cache.
        private static var age: Regex<Substring> { /\(from the cache, \d+ s old; no valid response from the server\)/ }

        private func withServer(_ body: (Server, URL) async throws -> Void) async throws {
            try await SampleDatabase.with { folder, database in
                try await Server.with(["--database", database], in: folder) { try await body($0, folder) }
            }
        }

        /// Starts an example and ends it after the closure.
        /// - Parameter body: Receives the program and its input.
        private static func start(
            _ command: String, in folder: URL, _ body: (Program, Input) async throws -> Void
        ) async throws {
            let input = try Input(in: folder)
            try await Program.with(
                ["-c", "exec \(command) <\(input.name)"], of: "/bin/bash", in: folder
            ) { try await body($0, input) }
        }

        /// The input of a program: a named pipe.
        private struct Input {
            let name = UUID().uuidString
            private let pipe: FileHandle

            init(in folder: URL) throws {
                let path = folder.appending(path: name).path
                // This end is also open for reading, so that opening it does not wait for the program.
                guard mkfifo(path, 0o600) == 0, let pipe = FileHandle(forUpdatingAtPath: path) else {
                    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
                }
                self.pipe = pipe
            }

            func write(_ lines: String) throws { try pipe.write(contentsOf: Data((lines + "\n").utf8)) }
        }
    }
}
