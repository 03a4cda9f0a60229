import Foundation
import NIOCore
import ProcessTesting
import Synchronization
import Testing

extension ProgramTests {
    /// The tests are the service manager: they create the sockets, which the programs inherit.
    @Suite("duet serve with sockets of a service manager", .timeLimit(.minutes(15)))
    struct SocketActivationTests {
        /// Runs `duet serve` with inherited sockets.
        /// - Parameter names: The names of the sockets (`LISTEN_FDNAMES`).
        private static func with<Value>(
            _ arguments: [String], sockets: [Int32], names: String = "", in folder: URL,
            environment: [String: String] = [:], _ body: (Program) async throws -> Value
        ) async throws -> Value {
            let variables = ["LISTEN_FDS": String(sockets.count), "LISTEN_FDNAMES": names]
            // The shell knows the identifier of the process.
            return try await Program.with(
                ["-c", #"LISTEN_PID=$$ exec "$0" "$@""#, Products.duet, "serve"] + arguments, of: "/bin/sh", in: folder,
                environment: variables.merging(environment) { $1 }, inheriting: sockets, body)
        }

        /// Sends a request on a new connection.
        /// - Returns: The first line of the response; an error as a text.
        fileprivate static func status(_ address: SocketAddress) async -> String {
            // A thread of its own sends the request directly after the connection is there, also on a busy machine. A
            // server that ends waits only for a second for the first request of a connection.
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    do {
                        let connection = try BoundSocket(connectedTo: address)
                        try connection.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        let response = try connection.receiveAll()
                        continuation.resume(returning: String(response.prefix { $0 != "\r\n" }))
                    } catch {
                        continuation.resume(returning: "\(error)")
                    }
                }
            }
        }

        /// Eight clients that send requests until the test ends.
        private struct Load {
            private let isEnding = Flag()
            private let clients: [Task<Void, Never>]
            private var statuses: AsyncStream<String>.AsyncIterator
            private let arrived: AsyncStream<String>.Continuation
            /// The number of responses for each first line, or error.
            private(set) var counts: [String: Int] = [:]

            private final class Flag: Sendable {
                let value = Atomic(false)
            }

            init(_ address: SocketAddress) {
                let (statuses, arrived) = AsyncStream<String>.makeStream()
                self.statuses = statuses.makeAsyncIterator()
                self.arrived = arrived
                clients = (0..<8).map { [isEnding] _ in
                    Task {
                        while !isEnding.value.load(ordering: .relaxed) {
                            arrived.yield(await SocketActivationTests.status(address))
                        }
                    }
                }
            }

            /// Waits until a number of responses have arrived.
            mutating func arrive(_ count: Int) async {
                for _ in 0..<count {
                    if let status = await statuses.next() { counts[status, default: 0] += 1 }
                }
            }

            /// Waits until the clients have received their last responses.
            mutating func end() async {
                isEnding.value.store(true, ordering: .relaxed)
                for client in clients { await client.value }
                arrived.finish()
                while let status = await statuses.next() { counts[status, default: 0] += 1 }
            }
        }

        @Test(
            "A new process takes the place of an old one under load, and no connection is refused or reset",
            arguments: [true, false])
        func replacement(isUnix: Bool) async throws {
            try await SampleDatabase.with { folder, url in
                let socket = isUnix ? try BoundSocket(at: folder.appending(path: "s").path) : try BoundSocket()
                let options = ["--database", url]
                let address = socket.address
                try await Self.with(options, sockets: [socket.descriptor], in: folder) { old in
                    try await old.output.wait(for: ". Try:")
                    var load = Load(address)
                    await load.arrive(200)
                    do {
                        try await Self.with(options, sockets: [socket.descriptor], in: folder) { new in
                            try await new.output.wait(for: ". Try:")
                            old.send(SIGTERM)
                            let result = await old.result()
                            #expect(result.status == 0, "\(result.errors)")
                            await load.arrive(200)
                            await load.end()
                        }
                    } catch {
                        await load.end()
                        throw error
                    }
                    #expect(Set(load.counts.keys) == ["HTTP/1.1 200 OK"], "\(load.counts)")
                }
            }
        }

        @Test("Connections that begin while no process runs wait for the next one")
        func waiting() async throws {
            try await SampleDatabase.with { folder, url in
                let socket = try BoundSocket()
                let (address, descriptor) = (socket.address, socket.descriptor)
                let statuses = try await withThrowingTaskGroup(of: String.self) { tasks in
                    for _ in 0..<4 { tasks.addTask { await Self.status(address) } }
                    return try await Self.with(["--database", url], sockets: [descriptor], in: folder) { _ in
                        try await tasks.reduce(into: []) { $0.append($1) }
                    }
                }
                #expect(statuses == Array(repeating: "HTTP/1.1 200 OK", count: 4))
            }
        }

        @Test(
            "A socket with the name admin has the metrics, and a service manager is notified about the start and the end"
        )
        func namesAndNotifications() async throws {
            try await SampleDatabase.with { folder, url in
                let api = try BoundSocket(at: folder.appending(path: "api").path)
                let admin = try BoundSocket(at: folder.appending(path: "admin").path)
                let notifications = try BoundSocket(
                    at: folder.appending(path: "notify").path, isStream: false, listens: false)
                try await Self.with(
                    ["--database", url], sockets: [api.descriptor, admin.descriptor], names: "duet.socket:admin",
                    in: folder, environment: ["NOTIFY_SOCKET": folder.appending(path: "notify").path]
                ) { program in
                    let start = try notifications.receive()
                    #expect(start == "READY=1")
                    let result = try await Program.shell(
                        """
                        for path in health/live metrics departments; do
                            for socket in api admin; do
                                curl --unix-socket $socket --no-fail-with-body -o /dev/null -w "$socket $path %{http_code}\\n" \\
                                    http://localhost/$path
                            done
                        done
                        """, in: folder)
                    #expect(
                        result.output == """
                            api health/live 200
                            admin health/live 200
                            api metrics 404
                            admin metrics 200
                            api departments 200
                            admin departments 404

                            """)
                    program.send(SIGTERM)
                    let end = try notifications.receive()
                    let ended = await program.result()
                    #expect(end == "STOPPING=1" && ended.status == 0)
                }
                #expect(FileManager.default.fileExists(atPath: folder.appending(path: "api").path))
            }
        }

        @Test("Sockets that cannot be used, and options that would have no effect, are refused with what to change")
        func refusals() async throws {
            try await SampleDatabase.with { folder, url in
                let stream = try BoundSocket()
                let datagram = try BoundSocket(at: folder.appending(path: "d").path, isStream: false, listens: false)
                let cases: [([String], Int32, String, Int32, String)] = [
                    (
                        ["--port", "0"], stream.descriptor, "", 64,
                        "--port cannot be combined with a socket of the service manager"
                    ),
                    (
                        ["--socket", "s"], stream.descriptor, "", 64,
                        "--socket cannot be combined with a socket of the service manager"
                    ),
                    (
                        ["--admin-port", "0", "--port", "0"], stream.descriptor, "admin", 64,
                        "--admin-port cannot be combined with an admin socket"
                    ),
                    (
                        [], datagram.descriptor, "duet.socket", 69,
                        "the inherited socket 3 (duet.socket) is not a stream socket; use ListenStream= in its unit"
                    ),
                ]
                for (arguments, descriptor, names, status, error) in cases {
                    let result = try await Self.with(
                        ["--database", url] + arguments, sockets: [descriptor], names: names, in: folder
                    ) { await $0.result() }
                    #expect(result.status == status && result.errors.contains(error), "\(arguments): \(result.errors)")
                }
            }
        }

        @Test("Sockets that are meant for another process are ignored")
        func otherProcess() async throws {
            try await SampleDatabase.with { folder, url in
                let environment = ["LISTEN_FDS": "1", "LISTEN_PID": "1"]
                try await Server.with(["--database", url], in: folder, environment: environment) { server in
                    let live = try await server.get("/health/live")
                    #expect(live.status == 200)
                }
            }
        }
    }
}
