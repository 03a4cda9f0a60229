import Foundation

/// A server in a separate process, which runs `duet serve`. It serves a database that it only reads, or a sample that
/// is created for the server and removed afterwards. In a separate process, the costs of the server can be measured
/// separately from the costs of the clients.
package struct EmbeddedServer: Sendable {
    /// The address of the server: `http://127.0.0.1:PORT`.
    package let base: String
    private let folder: URL
    private let source: Source

    /// The database that a server serves.
    package enum Source {
        /// A sample with the given number of employees.
        case sample(employees: Int)
        /// A database, given by its URL including the password, and the text of its description.
        case described(url: String, api: String)
    }

    /// Runs a closure while a new server serves the database.
    /// - Throws: ``ProcessFailure`` if the sample cannot be created, or the server cannot be started.
    package static func with<Value>(
        _ source: Source, _ body: (_ server: EmbeddedServer) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "duet-compare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        switch source {
        case .sample(let employees):
            let sample = try start(["sample", "--employees", String(employees)], source, in: folder)
            guard await sample.status() == 0 else {
                try Task.checkCancellation()
                throw ProcessFailure(description: "the sample database cannot be created: \(said(in: folder))")
            }
        case .described(_, let api): try Data(api.utf8).write(to: folder.appending(path: "api.yaml"))
        }
        return try await serve(source, in: folder) { base, _ in
            try await body(EmbeddedServer(base: base, folder: folder, source: source))
        }
    }

    /// Starts another process that serves the same database for the duration of the closure.
    package func anew<Value>(_ body: (_ server: ServerProcess) async throws -> Value) async throws -> Value {
        try await Self.serve(source, in: folder) { base, identifier in
            try await body(ServerProcess(base: base, identifier: identifier))
        }
    }

    /// Starts several other processes; see ``anew(_:)``.
    func anew<Value>(
        _ count: Int, _ body: (_ servers: [ServerProcess]) async throws -> Value
    ) async throws -> Value {
        try await anew(count, [], body)
    }

    private func anew<Value>(
        _ count: Int, _ started: [ServerProcess], _ body: (_ servers: [ServerProcess]) async throws -> Value
    ) async throws -> Value {
        guard started.count < count else { return try await body(started) }
        return try await anew { try await anew(count, started + [$0], body) }
    }

    private static func serve<Value>(
        _ source: Source, in folder: URL, _ body: (_ base: String, _ identifier: Int32) async throws -> Value
    ) async throws -> Value {
        let output = Pipe()
        // The server sends no cache tags, because nginx does not use them, and the responses to GraphQL queries by POST
        // never contain them. nginx sends the name of its upstream server, `duet`, as the host.
        var arguments = ["serve", "--port", "0", "--host", "127.0.0.1", "--hosts", "duet", "--no-cache-tags"]
        if case .described = source { arguments += ["--api", folder.appending(path: "api.yaml").path] }
        // A separate file stores the registered queries, so that all servers share them. The database can be read-only.
        // A write of their use to the database would be a commit, after which a live query is read again.
        arguments += ["--persisted-query-file", folder.appending(path: "queries.sqlite").path]
        let server = try start(arguments, source, in: folder, output: output)
        defer { server.end() }
        let found = await withTaskCancellationHandler {
            await base(output)
        } onCancel: {
            server.terminate()
        }
        guard let base = found else {
            try Task.checkCancellation()
            throw ProcessFailure(description: "the server did not start: \(said(in: folder))")
        }
        return try await body(base, server.identifier)
    }

    /// Returns the address that `duet serve` prints.
    /// - Returns: The address; nil if the process ends first.
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

    /// The pattern includes the character after the port, so that the port is complete.
    private static var address: Regex<(Substring, Substring)> { /(http:\/\/127\.0\.0\.1:\d+)[^\d]/ }

    private static func start(
        _ arguments: [String], _ source: Source, in folder: URL, output: Any = FileHandle.nullDevice
    ) throws -> DependentProcess {
        guard let executable = Bundle.main.executableURL else { throw CocoaError(.fileNoSuchFile) }
        // The standard error is reported only if the process fails.
        let errors = open(errors(in: folder).path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard errors >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EACCES) }
        // The user's `DUET_` variables apply to the user's own server, not to this server.
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DUET_") }
        var arguments = arguments
        switch source {
        case .sample: arguments += ["--database", "sqlite:\(folder.appending(path: "employees.sqlite").path)"]
        // The URL is passed in the environment because it may contain a password.
        case .described(let url, _): environment["DUET_DATABASE"] = url
        }
        return try DependentProcess(
            executable, arguments, environment: environment,
            output: output, errors: FileHandle(fileDescriptor: errors, closeOnDealloc: true))
    }

    private static func errors(in folder: URL) -> URL { folder.appending(path: "errors.log") }

    private static func said(in folder: URL) -> String {
        (try? String(contentsOf: errors(in: folder), encoding: .utf8)) ?? ""
    }
}
