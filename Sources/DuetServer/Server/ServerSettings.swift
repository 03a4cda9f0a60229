package import DuetGraphQL
import DuetGraphQLHTTP
package import DuetHTTPServer
package import DuetResourceService
package import DuetSQLDatabase
import NIOCore

/// The server settings. Each setting has a flag and an environment variable.
package struct ServerSettings: Sendable {
    package var host = "127.0.0.1"
    package var port = 8080
    /// The addresses of the server; nil for ``host`` and ``port``.
    package var addresses: [ListeningAddress]?
    /// The addresses of health, metrics and debugging. If there are any, the other addresses have only health.
    package var adminAddresses: [ListeningAddress] = []
    /// The certificate and the private key of the server; nil for connections without encryption.
    package var identity: TLSIdentity?
    /// True if clients of connections without encryption may speak HTTP/2.
    package var acceptsPlainHTTP2 = false
    /// The value of `Strict-Transport-Security` (RFC 6797); nil to omit the field. Only encrypted connections have it.
    package var strictTransportSecurity: String?
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

    /// The tokens by which clients read their own writes; nil for a database with one server.
    package var positions: PositionTokens?

    /// The limits of imports.
    package var imports = ImportLimits()

    /// The time for which the record of an idempotency key is kept.
    package var idempotencyLifetime = IdempotencyStore.defaultLifetime

    /// The settings of live queries.
    package var live = LiveSettings()

    /// The GraphQL settings.
    package var graphQL = GraphQLSettings()

    /// The texts that the program adds to the rows of resources. A text whose resource is not in the catalogue is
    /// ignored.
    package var representations: [ItemRepresentation] = []

    package init() {}

    /// The maximum number of concurrent connections at the admin addresses, in addition to ``maximumConnections``.
    static let maximumAdminConnections = 64

    /// The addresses of the API.
    package var listeningAddresses: [ListeningAddress] { addresses ?? [.tcp(host: host, port: port)] }

    /// The names of this machine for requests from this machine.
    package static let localHosts: Set = ["localhost", "127.0.0.1", "[::1]"]

    /// The settings of the admin addresses. Their connections are not encrypted. If other machines can connect, any
    /// host is valid, because monitoring systems use any name or address of the machine.
    var ofAdmin: ServerSettings {
        var settings = self
        settings.identity = nil
        settings.strictTransportSecurity = nil
        let isLocal = adminAddresses.allSatisfy(\.isOfThisMachine)
        settings.allowedHosts = isLocal ? Self.localHosts.union(allowedHosts ?? []) : nil
        return settings
    }
}

/// The settings of live queries.
package struct LiveSettings: Sendable {
    /// The intervals at which commits of other programs are found.
    package var detection = ChangeDetection()
    /// The limits of the watchers.
    package var limits = LiveQueries.Limits()
    /// The time between heartbeats of a stream of events.
    package var heartbeatInterval: Duration = .seconds(12)

    package init() {}
}

/// The limits of an import, which is the body of a request with many rows.
package struct ImportLimits: Sendable {
    /// The maximum number of bytes.
    package var maximumSize = 1 << 30
    /// The maximum time in which the body must arrive, and the maximum time of its transaction.
    package var timeout: Duration = .seconds(600)

    package init() {}
}

/// The GraphQL settings. Each setting has a flag and an environment variable.
package struct GraphQLSettings: Sendable {
    /// The limits of one operation.
    package var limits = OperationLimits()
    /// The maximum cost of an operation. If it is `nil`, the maximum in the description of the API applies. If the
    /// description has no maximum, the cost in ``limits`` applies.
    package var maximumCost: Int?
    /// The limits of a document.
    package var parserLimits = ParserLimits(sourceBytes: 256 << 10, tokens: 20_000, depth: 100)
    /// True to allow `__schema` and `__type`, and suggestions of schema names in errors.
    package var isIntrospectionEnabled = true
    /// The maximum number of requests in one body; 0 to disable batches.
    package var maximumBatchSize = 0
    /// True if a client may request the plan of an operation by `extensions.plan`.
    package var isDebugging = false

    /// The settings of persisted queries.
    package var persistedQueries = PersistedDocumentSettings()

    package init() {}

    /// Returns the limits of operations on a catalogue.
    func limits(of catalogue: Catalogue) -> OperationLimits {
        var limits = limits
        limits.cost = maximumCost ?? catalogue.maximumQueryCost ?? limits.cost
        return limits
    }
}

/// The caching settings of responses. Each setting has a flag and an environment variable.
package struct CachingSettings: Sendable {
    /// The upper limit of a response's `max-age` in seconds. The cache policy of the data may specify a shorter age.
    /// `nil` for no limit.
    package var maximumAge: Int?
    /// The value of `s-maxage` in seconds, which shared caches use instead of `max-age` (RFC 9111 §5.2.2.10); `nil` to
    /// omit it.
    package var sharedMaximumAge: Int?
    /// The number of seconds for which a cache may use a stale response while it revalidates the response (RFC 5861
    /// §3).
    package var staleWhileRevalidate: Int?
    /// True to send the cache tags of a response, so that caches can purge the response by tag. The cache tags identify
    /// the entities on which the response depends.
    package var namesEntities = true

    package init() {}

    /// Returns the `Cache-Control` value of a response without errors.
    ///
    /// A response that must not be reused without validation may still be stored. The cache then sends the entity tag
    /// of the response to revalidate it, and usually receives a 304.
    func cacheControl(_ policy: CachePolicy) -> String {
        policy.cacheControl(
            maximumAge: maximumAge, sharedMaximumAge: sharedMaximumAge, staleWhileRevalidate: staleWhileRevalidate)
    }
}
