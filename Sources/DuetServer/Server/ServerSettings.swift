package import DuetHTTPServer
package import DuetResourceService
import NIOCore

/// The server settings. Each setting has a flag and an environment variable.
package struct ServerSettings: Sendable {
    package var host = "127.0.0.1"
    package var port = 8080
    /// The valid hosts of requests, without ports and in lower case; nil for any host. The check prevents DNS
    /// rebinding: if the host name of a foreign page resolves to this server's address, requests of that page contain
    /// the foreign host name, and the server rejects them.
    package var allowedHosts: Set<String>?
    /// The maximum number of concurrent connections. Further connections wait in the listen queue.
    package var maximumConnections = 4096
    /// The maximum length of a request target in bytes. Longer targets result in 414.
    package var maximumTargetSize = 32 * 1024
    /// The maximum size of a request body in bytes. Larger bodies result in 413.
    package var maximumBodySize = 1024 * 1024
    /// The limits of connections, such as the maximum time for each part of a request.
    package var limits = RequestLimits()
    /// The maximum time for pending requests to end after SIGTERM.
    package var shutdownTimeout: Duration = .seconds(20)
    /// The caching settings of responses to reads.
    package var caching = CachingSettings()
    /// zlib's level for gzip, 1 to 9.
    package var compressionLevel: Int32 = 3

    /// True to store the SQL of the latest requests, which any client with a request ID can read; see
    /// ``StatementHistory``.
    package var keepsStatements = false

    /// The GraphQL settings.
    package var graphQL = GraphQLSettings()

    /// The texts that the program adds to the rows of resources. A text whose resource is not in the catalogue is
    /// ignored.
    package var representations: [ItemRepresentation] = []

    package init() {}
}
