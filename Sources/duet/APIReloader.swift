import APIDescription
import DuetResourceService
import DuetServer
import Logging
import ServiceLifecycle
import UnixSignals

/// Takes over a changed description and changed tasks on SIGHUP. If one of them has mistakes, both are refused, and the last good ones stay.
struct APIReloader: Service {
    let server: DuetServer
    let logger: Logger
    /// Reads the description, and makes a service of it; reads the tasks of the page at `/`.
    let reload: @Sendable () async throws -> (ResourceService, TaskSource)

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do {
                let (service, tasks) = try await reload()
                try server.replace(service, tasks: tasks)
                logger.info("The API was read again")
            } catch {
                logger.error(
                    "The description and the tasks were not read again, and stay as they were",
                    metadata: ["error": "\(error)"])
            }
        }
    }
}

/// The API of employees is compiled in.
struct NothingToReload: Error, CustomStringConvertible {
    let description = "the API of employees is part of the program"
}
