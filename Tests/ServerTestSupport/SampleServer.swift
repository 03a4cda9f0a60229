import DuetComparison
import DuetEmployees
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
package import DuetServer
import Foundation
import Logging
package import TestSupport

/// The real server with a sample.
package enum SampleServer {
    /// Runs the server while the closure runs.
    /// - Parameters:
    ///   - settings: The settings, except the port, which is a free port.
    ///   - body: Receives the server's origin, `http://127.0.0.1:PORT`.
    package static func with(
        _ backend: TestBackend = .sqlite, employees: Int = 1000, settings: ServerSettings = ServerSettings(),
        _ body: @Sendable @escaping (_ origin: String) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let observer = Observer(logger: logger)
        let observe: DatabaseObserver = { observer.database($0) }
        try await TestDatabase.with(backend, observer: observe) { database in
            _ = try await SampleLoader(try SampleGenerator(employees: employees, seed: 1)).load(into: database)
            guard let zone = TimeZone(identifier: "America/New_York") else { throw CocoaError(.featureUnsupported) }
            var settings = settings
            settings.port = 0
            settings.representations = [.employeeThumbnail]
            var service = try ResourceService.employees(
                database: database, encoding: ValueEncoding(dates: .epochMilliseconds(in: zone)))
            // A short read that exceeds the default time runs again in the pool. Its statements would be counted twice.
            service.directReadBudget?.time = .seconds(600)
            try await RunningServer.with {
                try DuetServer(
                    service: service, tasks: .file(Scenario.sampleTasks), queryDatabase: database, settings: settings,
                    observer: observer, logger: logger, onRunning: $0)
            } _: { port, _ in
                try await body("http://127.0.0.1:\(port)")
            }
        }
    }
}
