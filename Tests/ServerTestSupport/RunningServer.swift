package import DuetServer
package import Logging
package import ServiceLifecycle

/// Runs the real server in this process.
package enum RunningServer {
    /// Runs a server while the closure runs.
    /// - Parameters:
    ///   - make: Creates the server. It receives the closure that the server calls with its addresses.
    ///   - body: Receives the port, and the group that can shut the server down.
    package static func with(
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        _ make: (_ onRunning: @escaping @Sendable (DuetServer.Addresses) -> Void) throws -> DuetServer,
        _ body: @Sendable @escaping (_ port: Int, _ group: ServiceGroup) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let server = try make { addresses in
            port.yield(addresses.port)
            port.finish()
        }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { port.finish() }
                try await group.run()
            }
            tasks.addTask {
                do {
                    var number: Int?
                    for await running in ports { number = running }
                    guard let number else { throw ServerDidNotStart() }
                    try await body(number, group)
                } catch {
                    await group.triggerGracefulShutdown()
                    throw error
                }
                await group.triggerGracefulShutdown()
            }
            try await tasks.waitForAll()
        }
    }
}

private struct ServerDidNotStart: Error {}
