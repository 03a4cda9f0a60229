public import Foundation
public import HTTPTypes
import Synchronization

#if canImport(AsyncHTTPClient)
    public import NIOSSL
#endif

/// Receives the results of live queries by WebSocket, with the protocol graphql-transport-ws
/// (<https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md>).
///
/// ```swift
/// let client = GraphQLClient(transport: GraphQLEndpoint(url: url), socket: GraphQLSocket(url: url), store: store)
/// ```
///
/// All live queries of a caller share one connection. It is opened for the first live query, and closed after the last
/// one. If it is lost, all live queries continue on a new connection.
public final class GraphQLSocket: Sendable {
    /// The name of the protocol.
    static let subprotocol = "graphql-transport-ws"

    /// The address of the service, with the scheme `http` or `https`.
    public let url: URL
    let headerFields: HTTPFields
    let caller: CurrentCaller?
    let messageLimit: Int
    let settings: LiveSettings
    let transport: any WebSocketTransport
    private let persistedQueries: PersistedQueryProtocol
    private let links = Mutex<[Caller?: (link: SocketLink, users: Int)]>([:])

    init(
        url: URL, headerFields: HTTPFields, caller: CurrentCaller?, persistedQueries: PersistedQuerySettings,
        messageLimit: Int, settings: LiveSettings, transport: any WebSocketTransport
    ) {
        self.url = url
        self.headerFields = headerFields
        self.caller = caller
        self.messageLimit = messageLimit
        self.settings = settings
        self.transport = transport
        self.persistedQueries = PersistedQueryProtocol(persistedQueries)
    }

    /// The number of connections that are open or being opened.
    var connectionCount: Int { links.withLock { $0.count } }

    /// Returns the link of a caller, and registers a user of it.
    private func enter(_ caller: Caller?) -> SocketLink {
        links.withLock { links in
            let (link, users) = links[caller] ?? (SocketLink(self, caller), 0)
            links[caller] = (link, users + 1)
            return link
        }
    }

    /// Removes a user. The last one closes the connection.
    private func leave(_ caller: Caller?) {
        let unused = links.withLock { links -> SocketLink? in
            guard let (link, users) = links[caller] else { return nil }
            links[caller] = users > 1 ? (link, users - 1) : nil
            return users > 1 ? nil : link
        }
        unused?.close()
    }
}

extension GraphQLSocket: LiveTransport {
    func run(
        _ subscription: GraphQLRequest, _ receive: @escaping @Sendable (ParsedResponse, _ isFirst: Bool) async -> Void
    ) async throws(GraphQLClientError) {
        guard let content = persistedQueries.content(ofLive: subscription.document) else {
            throw .notListed(subscription.document, by: "the client's manifest")
        }
        let payload = Array(EncodedRequest(subscription, content).body)
        let link = enter(subscription.caller)
        defer { leave(subscription.caller) }
        var retries = Retries(settings)
        while true {
            let session = try await link.session()
            var hasResult = false
            do throws(SocketSession.OperationEnd) {
                try await session.run(payload) { response, isFirst in
                    hasResult = true
                    await receive(response, isFirst)
                }
                return
            } catch {
                switch error {
                case .cancelled: throw GraphQLClientError(TransportError(.cancelled))
                case .invalid(let error): throw error
                case .refused(let errors):
                    guard errors.mayBeTemporary else { throw GraphQLClientError(refusing: errors) }
                    if hasResult { retries.succeeded() }
                    guard await retries.wait() else { throw GraphQLClientError(TransportError(.cancelled)) }
                // The link opens a new connection, or throws the reason for which it does not.
                case .disconnected: break
                }
            }
        }
    }
}

extension GraphQLSocket {
    #if canImport(AsyncHTTPClient)
        /// Creates a socket. It connects when a live query begins.
        /// - Parameters:
        ///   - url: The address of the service, with the scheme `http` or `https`.
        ///   - headerFields: The header fields of the request that opens a connection.
        ///   - caller: The current caller, if the service needs its token. The request that opens a connection contains
        ///     the token, and the socket connects again with a new token when the token has expired. It must be the
        ///     object of the ``GraphQLStore``.
        ///   - persistedQueries: The settings for sending the hashes of documents instead of their text. Only
        ///     ``PersistedQuerySettings/Mode-swift.enum/listedOnly`` has an effect.
        ///   - messageLimit: The maximum size of a message in bytes.
        ///   - liveSettings: The pauses before new connections, and the time after which a connection is lost.
        ///   - configureTLS: Changes the settings of TLS, for example to trust a different authority.
        public convenience init(
            url: URL, headerFields: HTTPFields = [:], caller: CurrentCaller? = nil,
            persistedQueries: PersistedQuerySettings = PersistedQuerySettings(), messageLimit: Int = 32 << 20,
            liveSettings: LiveSettings = LiveSettings(), configureTLS: (inout TLSConfiguration) -> Void = { _ in }
        ) {
            var tls = TLSConfiguration.makeClientConfiguration()
            configureTLS(&tls)
            self.init(
                url: url, headerFields: headerFields, caller: caller, persistedQueries: persistedQueries,
                messageLimit: messageLimit, settings: liveSettings, transport: NIOWebSocketTransport(tls: tls))
        }
    #else
        /// Creates a socket. It connects when a live query begins.
        /// - Parameters:
        ///   - url: The address of the service, with the scheme `http` or `https`.
        ///   - headerFields: The header fields of the request that opens a connection.
        ///   - caller: The current caller, if the service needs its token. The request that opens a connection contains
        ///     the token, and the socket connects again with a new token when the token has expired. It must be the
        ///     object of the ``GraphQLStore``.
        ///   - persistedQueries: The settings for sending the hashes of documents instead of their text. Only
        ///     ``PersistedQuerySettings/Mode-swift.enum/listedOnly`` has an effect.
        ///   - messageLimit: The maximum size of a message in bytes.
        ///   - liveSettings: The pauses before new connections, and the time after which a connection is lost.
        public convenience init(
            url: URL, headerFields: HTTPFields = [:], caller: CurrentCaller? = nil,
            persistedQueries: PersistedQuerySettings = PersistedQuerySettings(), messageLimit: Int = 32 << 20,
            liveSettings: LiveSettings = LiveSettings()
        ) {
            self.init(
                url: url, headerFields: headerFields, caller: caller, persistedQueries: persistedQueries,
                messageLimit: messageLimit, settings: liveSettings, transport: URLSessionWebSocketTransport())
        }
    #endif
}
