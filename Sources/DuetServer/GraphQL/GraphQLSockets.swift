import DuetGraphQL
import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization

/// GraphQL over WebSocket: the handshake, the identity of the client, and the end of a connection.
struct GraphQLSockets: Sendable {
    /// The routes with the schema for a caller, and the caller; nil if the API has no roles.
    typealias Client = (routes: GraphQLRoutes, caller: Caller?)

    let settings: ServerSettings
    let builder: ResponseBuilder
    let streams: LiveStreams
    let observe: ServerObserver
    /// Identifies a client by the fields `Authorization` and `Duet-Role`, and by its certificate. The result is nil if
    /// the client must send a token. Throws ``RequestProblem``.
    let identify: @Sendable (HTTPFields, ClientCertificate?) async throws -> Client?

    /// Returns the response to a request that asks for a WebSocket connection: it switches the connection to the
    /// protocol graphql-transport-ws, or describes the error of the handshake.
    /// - Throws: ``RequestProblem`` if the request has an invalid token.
    func response(to routed: RoutedRequest) async throws -> Response {
        do {
            let (handshake, subprotocol) = try handshake(of: routed)
            // Without a token here, the first message of the connection can have it.
            let hasToken = routed.request.headers[.authorization] != nil
            let client = hasToken ? try await identify(routed.request.headers, routed.certificate) : nil
            return handshake.response(subprotocol: subprotocol) { connection in
                await self.serve(GraphQLConnection(connection: connection), client, routed)
            }
        } catch let error as GraphQLRequestError {
            let refusal = CompleteResponse(error, as: .json)
            return try builder.whole(
                refusal.body, mediaType: refusal.mediaType.contentType, for: routed, status: refusal.status,
                headers: refusal.fields, tag: nil)
        }
    }

    private func handshake(
        of routed: RoutedRequest
    ) throws(GraphQLRequestError) -> (WebSocketHandshake, subprotocol: String) {
        let handshake: WebSocketHandshake?
        do throws(WebSocketHandshake.Problem) {
            handshake = try WebSocketHandshake(routed.request.head)
        } catch {
            switch error {
            case .invalidKey: throw .malformed("Sec-WebSocket-Key must be 16 bytes in base64.")
            case .unsupportedVersion:
                throw GraphQLRequestError(
                    HTTPResponse.Status(code: 426), "UPGRADE_REQUIRED", "Send Sec-WebSocket-Version: 13.",
                    fields: WebSocketHandshake.versionFields)
            }
        }
        guard let handshake else { throw .malformed("Send Upgrade: websocket and Connection: Upgrade.") }
        try checkOrigin(of: routed)
        return (handshake, try GraphQLSocket.selectSubprotocol(from: handshake.subprotocols))
    }

    /// Rejects a page of another site. Browsers permit such a page to open a connection, and send the name of the site
    /// in `Origin`; there is no preflight as for other requests (RFC 6455 §10.2).
    /// - Throws: `GraphQLRequestError` with the status 403.
    private func checkOrigin(of routed: RoutedRequest) throws(GraphQLRequestError) {
        guard let origin = routed.request.headers.value(of: .origin) else { return }
        let authority = origin.firstRange(of: "://").map { origin[$0.upperBound...].lowercased() }
        if let authority, authority == routed.request.head.authority?.lowercased() { return }
        if let host = URLComponents(string: origin)?.host?.lowercased(),
            settings.allowedHosts?.contains(host) == true
        {
            return
        }
        throw GraphQLRequestError(
            .forbidden, "FORBIDDEN_ORIGIN",
            "A page of another site cannot open a connection: the host of Origin must be a name of this server. Start it with --hosts to add a name."
        )
    }

    // MARK: The connection

    /// Serves a connection until it ends, the token of the caller expires, or the API is replaced.
    private func serve(_ connection: GraphQLConnection, _ client: Client?, _ routed: RoutedRequest) async {
        let signals = LiveSignals()
        let number = streams.add(signals, heartbeats: .whenUnavailable)
        let ending = Task {
            while true {
                switch await signals.next() {
                case .drain: return connection.connection.close(WebSocketClose(.serviceRestart, "Service restart"))
                case .expired: return connection.close(.unauthorized)
                case .closed: return
                case .heartbeat:
                    // A client that does not read must not delay the end of its connection.
                    Task { try? await connection.send(GraphQLSocket.ping("The database cannot be reached.")) }
                }
            }
        }
        let expiry = TokenExpiry { signals.expire() }
        let fields = routed.request.headers
        await GraphQLSocket.run(
            connection,
            authenticate: { payload in
                let credentials = try payload.flatMap(Self.credentials)
                let known = credentials == nil ? client : nil
                guard let client = try await self.identify(credentials ?? fields, or: known, routed) else {
                    throw GraphQLSocketClose.forbidden("Send Authorization with a token in the payload")
                }
                expiry.set(for: client.caller)
                return (client, acknowledgement: nil)
            },
            renew: { (payload: JSONObject, old: Client) -> GraphQLSocketRenewal<Client>? in
                guard let credentials = try Self.credentials(in: payload) else { return nil }
                let identified: Client?
                do throws(GraphQLSocketClose) {
                    identified = try await self.identify(credentials, or: nil, routed)
                } catch {
                    // The old token remains valid until its expiry.
                    if error.isTemporary { return nil }
                    throw error
                }
                guard let client = identified else { return nil }
                expiry.set(for: client.caller)
                return GraphQLSocketRenewal(
                    client, endsOperations: client.caller?.fingerprint != old.caller?.fingerprint)
            },
            execute: { request, client in
                var exchange = ServerExchange(
                    routed.identified(as: client.caller), client.routes,
                    deadline: .after(client.routes.requestTimeout), isOnSocket: true)
                // An operation on a socket has no token of a position, so it reads on the primary.
                let session = client.routes.settings.positions.map { _ in DatabaseSession(usesPrimary: true) }
                do {
                    return try await DatabaseSession.$current.withValue(session) {
                        try await exchange.results(of: request)
                    }
                } catch let error as RequestProblem {
                    throw GraphQLRequestError(self.reported(error, routed))
                } catch {
                    // The client does not receive the text of any other error.
                    if !(error is CancellationError), !(error is GraphQLErrors), !(error is GraphQLError),
                        !(error is GraphQLRequestError)
                    {
                        self.observe(.failure(requestID: routed.requestID, error))
                    }
                    throw error
                }
            })
        expiry.cancel()
        streams.remove(number)
        signals.close()
        await ending.value
    }

    /// - Parameter known: The client that the handshake has identified; nil to identify it by the fields.
    private func identify(
        _ fields: HTTPFields, or known: Client?, _ routed: RoutedRequest
    ) async throws(GraphQLSocketClose) -> Client? {
        if let known { return known }
        do {
            return try await identify(fields, routed.certificate)
        } catch {
            let problem = reported(RequestProblem(error), routed)
            throw problem.type.httpStatus.kind == .serverError
                ? GraphQLSocketClose(code: GraphQLSocketClose.tryAgainLater, reason: problem.detail)
                : .forbidden(problem.detail)
        }
    }

    /// Reports the cause of a problem, which the client does not receive.
    private func reported(_ problem: RequestProblem, _ routed: RoutedRequest) -> RequestProblem {
        if let cause = problem.cause { observe(.failure(requestID: routed.requestID, cause)) }
        return problem
    }

    /// Returns the members `Authorization` and `Duet-Role` of a payload as header fields; nil if there is no
    /// `Authorization`. Names are not case-sensitive.
    /// - Throws: The reason to close the connection if the payload only chooses a role.
    private static func credentials(in payload: JSONObject) throws(GraphQLSocketClose) -> HTTPFields? {
        var fields: HTTPFields = [:]
        for member in payload.members {
            guard case .string(let text) = member.value, let name = HTTPField.Name(member.key),
                name == .authorization || name == .duetRole, HTTPField.isValidValue(text)
            else { continue }
            fields.append(HTTPField(name: name, value: text))
        }
        if fields[.authorization] == nil, fields[.duetRole] != nil {
            throw .invalidMessage("Send Authorization with Duet-Role in the payload.")
        }
        return fields[.authorization] == nil ? nil : fields
    }
}

extension GraphQLSocketClose {
    /// The code of a server that may accept the client later (the registry of RFC 6455 §11.7).
    fileprivate static let tryAgainLater: UInt16 = 1013

    fileprivate var isTemporary: Bool { code == Self.tryAgainLater }
}

/// A WebSocket connection for ``GraphQLSocket``.
private struct GraphQLConnection: GraphQLSocketConnection {
    let connection: WebSocketConnection

    var messages: AsyncMapSequence<WebSocketMessages, GraphQLSocketInput> {
        connection.messages.map { message in
            switch message {
            case .text(let bytes): .text(bytes)
            case .binary: .binary
            }
        }
    }

    func send(_ text: ByteBuffer) async throws { try await connection.send(.text(text)) }

    func close(_ close: GraphQLSocketClose) {
        connection.close(WebSocketClose(WebSocketCloseCode(rawValue: close.code), close.reason))
    }
}

extension WebSocketCloseCode {
    /// The server restarts, and the client should connect again (the registry of RFC 6455 §11.7).
    fileprivate static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
}

/// Waits for the expiry of the current token of a connection.
private final class TokenExpiry: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    /// Waits for the expiry of a caller's token instead of the previous one.
    func set(for caller: Caller?) {
        let next = caller?.expiry(action)
        task.withLock { task in
            task?.cancel()
            task = next
        }
    }

    func cancel() { set(for: nil) }
}

extension Caller {
    /// Runs a closure when the token or the certificate of the caller expires.
    /// - Returns: The task that waits; nil for a caller with neither.
    func expiry(_ body: @escaping @Sendable () -> Void) -> Task<Void, Never>? {
        guard let timeToExpiry else { return nil }
        return Task {
            guard (try? await Task.sleep(for: timeToExpiry)) != nil else { return }
            body()
        }
    }

    /// The time until the token or the certificate of the caller expires; nil for a caller with neither.
    var timeToExpiry: Duration? {
        expiresAt.map { .seconds(min(max(0, Double($0) - Date().timeIntervalSince1970), 1e9)) }
    }
}
