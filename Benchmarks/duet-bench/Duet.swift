import Foundation

/// The program under measurement: the `duet` that was built beside this one.
enum Duet {
    static var executable: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().appending(
            path: "duet")
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a command to its end.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description: "duet \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
    }

    /// `duet serve` on a free port.
    final class Server {
        private let process = Process()
        let port: Int
        var base: String { "http://127.0.0.1:\(port)" }

        init(environment: [String: String]) throws {
            port = try Self.freePort()
            process.executableURL = Duet.executable
            process.arguments = ["serve", "--port", "\(port)", "--log-level", "warning"]
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            try process.run()
            let deadline = ContinuousClock.now + .seconds(20)
            while (try? Socket.connect(port: port)) == nil {
                guard process.isRunning, ContinuousClock.now < deadline else {
                    throw Failure(description: "duet serve did not start")
                }
                usleep(20_000)
            }
        }

        func stop() {
            process.terminate()
            process.waitUntilExit()
        }

        /// KiB.
        var residentMemory: Int { memory("VmRSS:") }
        /// KiB, the highest so far.
        var peakMemory: Int { memory("VmHWM:") }

        private func memory(_ name: String) -> Int {
            let status =
                (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }

        private static func freePort() throws -> Int {
            let socket = try Socket.listening()
            defer { close(socket.descriptor) }
            return socket.port
        }
    }
}
