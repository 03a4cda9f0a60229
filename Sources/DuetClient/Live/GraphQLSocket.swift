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
/// The live queries of a caller share a connection. It is opened for the first live query, and closed after the last
/// one. If it is lost, all live queries continue on a new connection. A server limits the number of operations of a
/// connection, so each hundred live queries have a connection of their own.
public final class GraphQLSocket: Sendable {
    /// The name of the protocol.
    static let subprotocol = "graphql-transport-ws"
    /// The maximum number of live queries on a connection, which is the limit of a Duet server.
    static let maximumOperations = 100

    /// The address of the service, with the scheme `http` or `https`.
    public let url: URL
    let headerFields: HTTPFields
    let caller: CurrentCaller?
    let messageLimit: Int
    let settings: LiveSettings
    let transport: any WebSocketTransport
    private let persistedQueries: PersistedQueryProtocol
    /// The connections of each caller, and the number of live queries on each of them.
    private let links = Mutex<[Caller?: [(link: SocketLink, users: Int)]]>([:])

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
    var connectionCount: Int { links.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Returns a link of a caller for one more live query.
    private func enter(_ caller: Caller?) -> SocketLink {
        links.withLock { links in
            var own = links[caller] ?? []
            let free = own.firstIndex { $0.users < Self.maximumOperations }
            let index = free ?? own.count
            if free == nil { own.append((SocketLink(self, caller), 0)) }
            own[index].users += 1
            links[caller] = own
            return own[index].link
        }
    }

    /// Handles the end of a live query. The last one of a link closes the connection.
    private func leave(_ link: SocketLink) {
        let isUnused = links.withLock { links in
            guard var own = links[link.caller], let index = own.firstIndex(where: { $0.link === link }) else {
                return false
            }
            own[index].users -= 1
            let isUnused = own[index].users == 0
            if isUnused { own.remove(at: index) }
            links[link.caller] = own.isEmpty ? nil : own
            return isUnused
        }
        if isUnused { link.close() }
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
        defer { leave(link) }
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
