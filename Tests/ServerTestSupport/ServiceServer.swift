package import DuetResourceService
package import DuetServer
package import Logging
import ProcessTesting

/// The real server in this process, for any API.
package struct ServiceServer: HTTPEndpoint {
    package let base: String

    /// Runs the server while the closure runs.
    package static func with(
        _ service: ResourceService, access: AccessSettings? = nil, settings: ServerSettings = ServerSettings(),
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        _ body: @Sendable @escaping (ServiceServer) async throws -> Void
    ) async throws {
        var settings = settings
        settings.port = 0
        try await RunningServer.with(logger: logger) { [settings] in
            try DuetServer(
                service: service, access: access, queryDatabase: nil, settings: settings,
                observer: Observer(logger: logger), logger: logger, onRunning: $0)
        } _: { port, _ in
            try await body(ServiceServer(base: "http://127.0.0.1:\(port)"))
        }
    }
}
