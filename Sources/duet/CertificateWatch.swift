import DuetHTTPServer
import Logging
import ServiceLifecycle

/// Reads the files of the certificate again: when they change, and on SIGHUP. If they have errors, the previous
/// certificate remains active.
struct CertificateWatch: Service {
    let identity: TLSIdentity
    let logger: Logger

    /// The time between two looks at the files.
    private static let interval = Duration.seconds(2)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil {
                if identity.hasChanged { reload() }
            }
        }
    }

    /// Reads the files again.
    func reload() {
        do {
            try identity.reload()
            logger.info("The certificate was reloaded", metadata: ["valid_until": "\(identity.validity.end)"])
        } catch {
            logger.error(
                "The certificate could not be reloaded; the previous certificate remains active",
                metadata: ["error": "\(error)"])
        }
    }
}
