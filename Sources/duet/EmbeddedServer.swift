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
        let sample = try start(["sample", "--employees", String(employees), "--database", database])
        sample.waitUntilExit()
        guard sample.terminationStatus == 0 else {
            throw StartFailure.report(
                "the sample database cannot be made: duet sample has status \(sample.terminationStatus)")
        }
        let output = Pipe()
        let server = try start(["serve", "--port", "0", "--host", "127.0.0.1", "--database", database], output: output)
        defer {
            server.terminate()
            server.waitUntilExit()
        }
        return try await body(try await base(output))
    }

    /// Where `duet serve` says that it listens.
    private static func base(_ output: Pipe) async throws -> String {
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
        guard let base = said.firstMatch(of: address) else {
            throw StartFailure.report("the server has not started: \(said)")
        }
        return String(base.1)
    }

    /// With what follows, so that the port is there as a whole.
    private static var address: Regex<(Substring, Substring)> { /(http:\/\/127\.0\.0\.1:\d+)[^\d]/ }

    private static func start(_ arguments: [String], output: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        // Settings in the environment are for the server that their owner runs.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DUET_") }
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
