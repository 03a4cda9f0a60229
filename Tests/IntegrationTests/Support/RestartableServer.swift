import AsyncHTTPClient
import Foundation
import ProcessTesting
import Synchronization

/// A `duet serve` process that a test can end and start again. Each run has another port.
final class RestartableServer: HTTPEndpoint {
    private let process: RestartableProgram
    /// The shared client would repeat a connection that is refused.
    let client = RestartableServer.impatientClient
    private static let impatientClient: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
    private let address = Mutex("")

    /// - Parameter arguments: The arguments of `duet serve`, except the port.
    init(_ arguments: [String], in folder: URL, environment: [String: String]) {
        process = RestartableProgram(
            Products.duet, ["serve", "--port", "0"] + arguments, in: folder, environment: environment
        ) { _ = try await Server($0) }
    }

    /// The address of the current run; empty if the server does not run.
    var base: String { address.withLock { $0 } }

    func start() async throws {
        try await process.start()
        guard let program = process.program else { return }
        let base = try await Server(program).base
        address.withLock { $0 = base }
    }

    func kill() async {
        await process.kill()
        // Another program can get the port.
        address.withLock { $0 = "" }
    }

    /// Runs several servers during a closure.
    static func with<Value>(_ servers: [RestartableServer], _ body: () async throws -> Value) async throws -> Value {
        let result: Result<Value, any Error>
        do {
            for server in servers { try await server.start() }
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        for server in servers { await server.kill() }
        return try result.get()
    }
}
