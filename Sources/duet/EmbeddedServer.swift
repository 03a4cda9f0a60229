import Foundation

/// This program as a server of its own, on a sample database that is made for it and removed afterwards. It is another process, so that
/// what it takes can be told from what its clients take.
enum EmbeddedServer {
    /// - Parameter body: is given `http://127.0.0.1:PORT`.
    /// - Throws: `StartFailure` if the program cannot be run once more, or does not serve.
    static func with<Value>(
        employees: Int, _ body: (_ base: String) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "duet-compare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = "sqlite:\(folder.appending(path: "employees.sqlite").path)"
        // What they say there is of use only if they fail.
        let errors = folder.appending(path: "errors.log")
        try Data().write(to: errors)
        let log = try FileHandle(forWritingTo: errors)
        func said() -> String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
        let sample = try start(
            ["sample", "--employees", String(employees), "--database", database], errors: log)
        sample.waitUntilExit()
        guard sample.terminationStatus == 0 else {
            throw StartFailure.report("the sample database cannot be made: \(said())")
        }
        let output = Pipe()
        let server = try start(
            ["serve", "--port", "0", "--host", "127.0.0.1", "--database", database], errors: log, output: output)
        defer {
            server.terminate()
            server.waitUntilExit()
        }
        guard let base = await base(output) else {
            throw StartFailure.report("the server has not started: \(said())")
        }
        return try await body(base)
    }

    /// Where `duet serve` says that it listens.
    /// - Returns: `nil` if it ends before.
    private static func base(_ output: Pipe) async -> String? {
        let said = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var said = ""
                while !said.contains(address) {
                    let data = output.fileHandleForReading.availableData
                    guard !data.isEmpty else { break }
                    said += String(decoding: data, as: UTF8.self)
                }
                continuation.resume(returning: said)
            }
        }
        return said.firstMatch(of: address).map { String($0.1) }
    }

    /// With what follows, so that the port is there as a whole.
    private static var address: Regex<(Substring, Substring)> { /(http:\/\/127\.0\.0\.1:\d+)[^\d]/ }

    private static func start(_ arguments: [String], errors: FileHandle, output: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        // Settings in the environment are for the server that their owner runs.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DUET_") }
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        return process
    }
}
