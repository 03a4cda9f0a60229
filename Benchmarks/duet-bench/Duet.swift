import Foundation

/// The measured program: the executable `duet` in the same folder as this program.
enum Duet {
    static var executable: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().appending(
            path: "duet")
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a command of `duet` and waits until it exits.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description: "duet \(arguments.joined(separator: " ")) exited with status \(process.terminationStatus)")
        }
    }

    /// Runs a script of the shell, and returns its output.
    @discardableResult
    static func shell(_ script: String, in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(script) exited with status \(process.terminationStatus)")
        }
        return text
    }

    /// Starts `duet serve` on a free port.
    static func serve(environment: [String: String]) throws -> ServerProcess {
        try ServerProcess(executable, environment: environment) { port in
            ["serve", "--port", "\(port)", "--log-level", "warning"]
        }
    }
}
