package import HTTPSemantics
import NIOCore

/// What the server can be told; each has a flag and an environment variable.
package struct ServerSettings: Sendable {
    package var host = "127.0.0.1"
    package var port = 8080
    /// The hosts that requests may name, without ports and in lower case; nil for any. A page of another site that has given its name
    /// this machine's address names its own host, and is refused.
    package var allowedHosts: Set<String>?
    /// Most connections at once; others wait in the listen queue.
    package var maximumConnections = 4096
    /// Longest request target that is answered; longer ones get 414.
    package var maximumTargetSize = 32 * 1024
    /// Longest request body; longer ones get 413.
    package var maximumBodySize = 1024 * 1024
    /// How long clients may take over the parts of a request.
    package var limits = RequestLimits()
    /// How long requests under way may take to end after SIGTERM.
    package var shutdownTimeout: Duration = .seconds(20)
    /// What caches are told of answers to reads.
    package var caching = CachingSettings()
    /// zlib's level for gzip, 1 to 9.
    package var compressionLevel: Int32 = 3

    /// Whether the text of the last requests' statements is kept, for whoever knows a request's ID; see ``StatementHistory``.
    package var keepsStatements = false

    /// What is answered over GraphQL, and how much of it.
    package var graphQL = GraphQLSettings()

    package init() {}
}
