import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import Logging
import ServiceLifecycle
import UnixSignals

/// Reloads the description and the tasks on SIGHUP. If the description or the tasks have errors, the previous
/// description and tasks remain active.
struct APIReloader: Service {
    let server: DuetServer
    let logger: Logger
    let values: LogValues
    /// SIGHUP, trapped before the server starts: an untrapped SIGHUP terminates the process.
    let signals: UnixSignalsSequence
    /// Reads the description and the tasks. Returns a service for the description, and the tasks of the page at `/`.
    let reload: @Sendable () async throws -> (ResourceService, TaskSource)

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() {
            do {
                let (service, tasks) = try await reload()
                try server.replace(service, tasks: tasks)
                logger.info("The API was reloaded")
            } catch {
                logger.error(
                    "The description and the tasks could not be reloaded; the previous description and tasks remain active",
                    metadata: ["error": "\(error is any ValueBearingError ? values.text(error) : "\(error)")"])
            }
        }
    }
}

/// The error of a reload of the employees API, which is compiled into the program.
struct NothingToReload: Error, CustomStringConvertible {
    let description = "the employees API is part of the program and cannot be reloaded"
}
