import Foundation

/// This program as a server of its own, on a sample database that is made for it and removed afterwards. It is another process, so that
/// what it takes can be told from what its clients take.
struct EmbeddedServer: Sendable {
    /// `http://127.0.0.1:PORT`.
    let base: String
    private let folder: URL

    /// - Throws: `StartFailure` if the program cannot be run once more, or does not serve.
    static func with<Value>(
        employees: Int, _ body: (_ server: EmbeddedServer) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "duet-compare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sample = try start(["sample", "--employees", String(employees)], in: folder)
        guard await sample.status() == 0 else {
            try Task.checkCancellation()
            throw StartFailure.report("the sample database cannot be made: \(said(in: folder))")
        }
        return try await serve(in: folder) { base, _ in
            try await body(EmbeddedServer(base: base, folder: folder))
        }
    }

    /// Another process that serves the same database for as long as the closure takes.
    func anew<Value>(_ body: (_ server: ServerProcess) async throws -> Value) async throws -> Value {
        try await Self.serve(in: folder) { base, identifier in
            try await body(ServerProcess(base: base, identifier: identifier))
        }
    }

    private static func serve<Value>(
        in folder: URL, _ body: (_ base: String, _ identifier: Int32) async throws -> Value
    ) async throws -> Value {
        let output = Pipe()
        // The names for purging are of use to a cache that reads them, and stand in the answers to GET alone.
        let server = try start(
            ["serve", "--port", "0", "--host", "127.0.0.1", "--no-cache-tags"], in: folder, output: output)
        defer { server.end() }
        let found = await withTaskCancellationHandler {
            await base(output)
        } onCancel: {
            server.terminate()
        }
        guard let base = found else {
            try Task.checkCancellation()
            throw StartFailure.report("the server has not started: \(said(in: folder))")
        }
        return try await body(base, server.identifier)
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

    private static func start(
        _ arguments: [String], in folder: URL, output: Any = FileHandle.nullDevice
    ) throws -> DependentProcess {
        guard let executable = Bundle.main.executableURL else { throw CocoaError(.fileNoSuchFile) }
        // What they say there is of use only if they fail.
        let errors = open(errors(in: folder).path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard errors >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EACCES) }
        return try DependentProcess(
            executable, arguments + ["--database", "sqlite:\(folder.appending(path: "employees.sqlite").path)"],
            // Settings in the environment are for the server that their owner runs.
            environment: ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DUET_") },
            output: output, errors: FileHandle(fileDescriptor: errors, closeOnDealloc: true))
    }

    private static func errors(in folder: URL) -> URL { folder.appending(path: "errors.log") }

    private static func said(in folder: URL) -> String {
        (try? String(contentsOf: errors(in: folder), encoding: .utf8)) ?? ""
    }
}
