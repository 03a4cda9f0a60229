import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import Logging
import ServiceLifecycle
import UnixSignals

/// Reloads the description, the tasks, and the certificate on SIGHUP. If they have errors, the previous ones remain
/// active.
struct APIReloader: Service {
    let server: DuetServer
    let database: Database
    /// The certificate of the server, which is reloaded even if the description has an error or is a part of the
    /// program; nil for connections without encryption.
    let certificate: CertificateWatch?
    let logger: Logger
    let values: LogValues
    /// SIGHUP, trapped before the server starts: an untrapped SIGHUP terminates the process.
    let signals: UnixSignalsSequence
    /// Reads the description, the tasks, and the keys of tokens in a file; nil for the employees API, which is a part
    /// of the program.
    let reload: (@Sendable () async throws -> Reloaded)?

    /// A service for the description, its roles, and the tasks of the page at `/`.
    struct Reloaded: Sendable {
        let service: ResourceService
        let access: AccessSettings?
        let tasks: TaskSource
        /// The value of `Database.definitionChanges` before the schema was read.
        let definitionChanges: Int
    }

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() {
            certificate?.reload()
            guard let reload else {
                if certificate == nil {
                    logger.notice("There is nothing to reload: the employees API is a part of the program")
                }
                continue
            }
            do {
                let reloaded = try await reload()
                try server.replace(reloaded.service, access: reloaded.access, tasks: reloaded.tasks)
                database.acceptDefinitions(after: reloaded.definitionChanges)
                logger.info("The API was reloaded")
            } catch {
                logger.error(
                    "The description and the tasks could not be reloaded; the previous description and tasks remain active",
                    metadata: ["error": "\(error is any ValueBearingError ? values.text(error) : "\(error)")"])
            }
        }
    }
}
