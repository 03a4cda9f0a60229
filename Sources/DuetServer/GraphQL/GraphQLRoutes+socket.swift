import DuetGraphQL
import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// GraphQL over WebSocket.
extension GraphQLRoutes {
    /// Returns the response that switches a connection to the protocol graphql-transport-ws; nil if the request does
    /// not ask for a WebSocket connection.
    /// - Throws: `GraphQLRequestError` for a request that cannot open a connection.
    func socket(_ routed: RoutedRequest) throws -> Response? {
        let handshake: WebSocketHandshake
        do throws(WebSocketHandshake.Problem) {
            guard let asked = try WebSocketHandshake(routed.request.head) else { return nil }
            handshake = asked
        } catch {
            switch error {
            case .invalidKey: throw GraphQLRequestError.malformed("Sec-WebSocket-Key must be 16 bytes in base64.")
            case .unsupportedVersion:
                throw GraphQLRequestError(
                    HTTPResponse.Status(code: 426), "UPGRADE_REQUIRED", "Send Sec-WebSocket-Version: 13.",
                    fields: WebSocketHandshake.versionFields)
            }
        }
        try checkOrigin(of: routed)
        let subprotocol = try GraphQLSocket.selectSubprotocol(from: handshake.subprotocols)
        return handshake.response(subprotocol: subprotocol) { connection in
            await self.serve(GraphQLConnection(connection: connection), routed)
        }
    }

    /// Rejects a page of another site. Browsers permit such a page to open a connection, and send the name of the site
    /// in `Origin`; there is no preflight as for other requests (RFC 6455 §10.2).
    /// - Throws: `GraphQLRequestError` with the status 403.
    private func checkOrigin(of routed: RoutedRequest) throws {
        guard let origin = routed.request.headers.value(of: .origin) else { return }
        let authority = origin.firstRange(of: "://").map { origin[$0.upperBound...].lowercased() }
        if let authority, authority == routed.request.head.authority?.lowercased() { return }
        throw GraphQLRequestError(
            .forbidden, "FORBIDDEN_ORIGIN",
            "A page of another site cannot open a connection: Origin must have the host and port of the server.")
    }

    /// Serves a connection until it ends, the token of the caller expires, or the API is replaced.
    private func serve(_ connection: GraphQLConnection, _ routed: RoutedRequest) async {
        let mailbox = LiveMailbox()
        let number = streams.add(mailbox)
        let ending = Task {
            while true {
                switch await mailbox.next() {
                case .drain: return connection.connection.close(WebSocketClose(.serviceRestart, "Service restart"))
                case .expired: return connection.close(.unauthorized)
                case .end: return
                case .event, .heartbeat: continue
                }
            }
        }
        let expiry = routed.caller?.expiry { mailbox.expire() }
        await GraphQLSocket.run(
            connection, authenticate: { _ in ((), acknowledgement: nil) },
            execute: { request, _ in
                var exchange = ServerExchange(routed, self, deadline: .after(self.requestTimeout))
                return try await exchange.results(of: request)
            })
        expiry?.cancel()
        streams.remove(number)
        mailbox.close()
        await ending.value
    }
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

extension Caller {
    /// Runs a closure when the token of the caller expires.
    /// - Returns: The task that waits; nil for a caller without a token.
    func expiry(_ body: @escaping @Sendable () -> Void) -> Task<Void, Never>? {
        guard let expiresAt else { return nil }
        return Task {
            let seconds = max(0, Double(expiresAt) - Date().timeIntervalSince1970)
            guard (try? await Task.sleep(for: .seconds(min(seconds, 1e9)))) != nil else { return }
            body()
        }
    }
}
