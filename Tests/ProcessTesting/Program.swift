package import Foundation

/// A program that runs in its own folder and never outlives its test.
package final class Program: Sendable {
    /// The outputs and the status of a program that has ended.
    package struct Result: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    package let output = Transcript()
    package let errors = Transcript()
    private let process: ChildProcess

    /// The time limit of a program. It exceeds the run time of every program under test. A program that still runs
    /// afterwards is killed, so that no test waits forever.
    private static let deadline = DispatchTimeInterval.seconds(900)

    /// - Parameter environment: The environment variables in addition to those of every program, such as `PATH` and
    ///   `HOME`.
    private init(
        _ executable: String, _ arguments: [String], in folder: URL, environment: [String: String],
        inheriting descriptors: [Int32]
    ) throws {
        if executable == Products.duet, !FileManager.default.isExecutableFile(atPath: executable) {
            throw NotBuilt(path: executable)
        }
        let inherited = ProcessInfo.processInfo.environment
        let products = URL(filePath: Products.duet).deletingLastPathComponent()
        var variables = [
            "PATH": "\(products.path):\(inherited["PATH"] ?? "/usr/bin:/bin")", "HOME": folder.path,
            // The status reports a crash. A backtrace would take longer than the test.
            "SWIFT_BACKTRACE": "enable=no",
        ]
        variables["LD_LIBRARY_PATH"] = inherited["LD_LIBRARY_PATH"]
        let process = try ChildProcess(
            executable, arguments, in: folder.path, environment: variables.merging(environment) { $1 },
            inheriting: descriptors, output: output, errors: errors)
        self.process = process
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.deadline) { process.send(SIGKILL) }
    }

    /// Starts a program, and ends it after the closure if it still runs.
    /// - Parameter descriptors: The descriptors that the program inherits. Their numbers in the program begin with 3.
    package static func with<Value>(
        _ arguments: [String], of executable: String = Products.duet, in folder: URL,
        environment: [String: String] = [:], inheriting descriptors: [Int32] = [],
        _ body: (Program) async throws -> Value
    ) async throws -> Value {
        let program = try Program(
            executable, arguments, in: folder, environment: environment, inheriting: descriptors)
        do {
            let value = try await body(program)
            program.send(SIGKILL)
            _ = await program.result()
            return value
        } catch {
            program.send(SIGKILL)
            _ = await program.result()
            throw error
        }
    }

    /// Runs a program to its end.
    package static func run(
        _ arguments: [String], of executable: String = Products.duet, in folder: URL,
        environment: [String: String] = [:]
    ) async throws -> Result {
        try await with(arguments, of: executable, in: folder, environment: environment) { await $0.result() }
    }

    /// Runs a command line in a shell, in which `curl` fails for a status of 400 or more.
    package static func shell(_ script: String, in folder: URL, environment: [String: String] = [:]) async throws
        -> Result
    {
        try Data("silent\nshow-error\nfail-with-body\n".utf8).write(to: folder.appending(path: ".curlrc"))
        return try await run(
            ["-c", "set -euo pipefail\n" + script], of: "/bin/bash", in: folder, environment: environment)
    }

    /// Returns the path of a program of the system, or `nil` if it is not installed.
    package static func find(_ name: String) -> String? {
        ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    package func send(_ signal: Int32) {
        process.send(signal)
    }

    /// Waits for the end of the program. The status is that of a shell: 128 or more for a signal.
    package func result() async -> Result {
        let status = await process.status()
        return Result(status: status, output: await output.complete(), errors: await errors.complete())
    }

    /// Returns the resident memory in bytes.
    package func residentMemory() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        guard let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return kibibytes * 1024
    }

    /// Returns the processor time that the process has used so far, in user and in kernel mode.
    package func processorTime() throws -> Duration {
        let text = try String(contentsOfFile: "/proc/\(process.identifier)/stat", encoding: .utf8)
        // The name of the program, in parentheses, can contain spaces. The times are the fields 14 and 15 (proc(5)).
        let fields = text.drop { $0 != ")" }.split(separator: " ")
        let ticks = fields.dropFirst(12).prefix(2).compactMap { Int($0) }
        guard ticks.count == 2 else { throw CocoaError(.fileReadCorruptFile) }
        return .seconds(ticks.reduce(0, +)) / sysconf(Int32(_SC_CLK_TCK))
    }

    /// The program `duet` does not exist.
    struct NotBuilt: Error, CustomStringConvertible {
        let path: String

        var description: String {
            "There is no program \(path). Build duet. If these tests belong to another package, set DUET_PROGRAM to the path of duet."
        }
    }
}
