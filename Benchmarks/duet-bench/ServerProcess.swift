import Foundation

/// A running program that serves HTTP on a free local port.
final class ServerProcess {
    private let process = Process()
    let port: Int
    var base: String { "http://127.0.0.1:\(port)" }

    /// Starts the program and waits until it accepts connections.
    /// - Parameter arguments: Returns the arguments with which the program serves on a port.
    init(_ executable: URL, environment: [String: String] = [:], arguments: (_ port: Int) -> [String]) throws {
        port = try Self.freePort()
        process.executableURL = executable
        process.arguments = arguments(port)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        try process.run()
        let deadline = ContinuousClock.now + .seconds(20)
        while (try? Socket.connect(port: port)) == nil {
            guard process.isRunning, ContinuousClock.now < deadline else {
                throw Duet.Failure(description: "\(executable.lastPathComponent) did not start")
            }
            usleep(1_000)
        }
    }

    /// Ends the program.
    /// - Parameter signal: SIGKILL for a program that does not unblock SIGTERM, which is blocked on the thread that
    ///   starts it.
    func stop(by signal: Int32 = SIGTERM) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }

    /// The current resource usage of the process.
    var usage: ProcessUsage { ProcessUsage(of: process.processIdentifier) }

    private static func freePort() throws -> Int {
        let socket = try Socket.listening()
        defer { close(socket.descriptor) }
        return socket.port
    }
}
