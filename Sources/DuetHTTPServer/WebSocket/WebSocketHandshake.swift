import Crypto
import DuetHTTPSemantics
import Foundation
package import HTTPTypes
package import HummingbirdCore

/// The opening handshake of a WebSocket connection (RFC 6455 §4.2): a request that asks for the WebSocket protocol.
package struct WebSocketHandshake: Sendable, Hashable {
    /// The reason for which a request cannot open a connection.
    package enum Problem: Error, Sendable, Hashable {
        /// 400: the key does not have 16 bytes.
        case invalidKey
        /// 426: the client does not speak version 13. The response must have ``WebSocketHandshake/versionFields``.
        case unsupportedVersion
    }

    /// The fields of the response to ``Problem/unsupportedVersion`` (RFC 6455 §4.2.2, RFC 9110 §15.5.22).
    package static let versionFields: HTTPFields = [
        .secWebSocketVersion: "13", .upgrade: "websocket", .connection: "Upgrade",
    ]

    /// The subprotocols that the client offers, in the order of its preference.
    package let subprotocols: [String]
    private let key: String

    /// Reads the handshake of a request.
    ///
    /// The connection removes the `Upgrade` field of a request that cannot switch protocols: a request of HTTP/1.0, a
    /// request with a body, and a request with a method other than GET.
    /// - Returns: `nil` if the request does not ask for the WebSocket protocol.
    /// - Throws: ``Problem``.
    package init?(_ request: HTTPRequest) throws(Problem) {
        guard Self.isRequested(request) else { return nil }
        let fields = request.headerFields
        guard fields[.secWebSocketVersion] == "13" else { throw .unsupportedVersion }
        guard let key = fields[.secWebSocketKey], Data(base64Encoded: key)?.count == 16 else { throw .invalidKey }
        self.key = key
        self.subprotocols = fields.list(.secWebSocketProtocol)
    }

    /// Returns true if a request asks for the WebSocket protocol, with a valid handshake or not.
    package static func isRequested(_ request: HTTPRequest) -> Bool {
        let fields = request.headerFields
        // Nearly all requests end here.
        guard fields.contains(.upgrade) else { return false }
        return request.method == .get && fields.list(.upgrade).contains { $0.lowercased() == "websocket" }
            && fields.list(.connection).contains { $0.lowercased() == "upgrade" }
    }

    /// The value of `Sec-WebSocket-Accept`, which proves that the server has understood the handshake.
    var accept: String {
        let text = self.key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Data(Insecure.SHA1.hash(data: Data(text.utf8))).base64EncodedString()
    }

    /// Returns the response that switches the connection to the WebSocket protocol.
    /// - Parameters:
    ///   - subprotocol: One of ``subprotocols``, or `nil`.
    ///   - run: The application's work. The task that runs the closure is canceled when the connection is closed. When
    ///     the closure returns, the server closes the connection with the code 1000. If the closure throws a
    ///     ``WebSocketClose``, it is the reason in the close frame; after any other error, the code is 1011.
    package func response(
        subprotocol: String? = nil, run: @escaping @Sendable (WebSocketConnection) async throws -> Void
    ) -> Response {
        var fields: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: self.accept,
        ]
        fields[.secWebSocketProtocol] = subprotocol
        return Response(
            status: .switchingProtocols, headers: fields,
            body: ResponseBody { _ in
                guard let pending = WebSocketSwitch.pending else { throw WebSocketEnded() }
                try await pending.run(run)
            })
    }
}

extension HTTPFields {
    /// The elements of a list field (RFC 9110 §5.6.1).
    fileprivate func list(_ name: HTTPField.Name) -> [String] {
        self[values: name].flatMap { value in
            value.split(separator: ",").map { $0.trimming(while: { $0 == " " || $0 == "\t" }) }
        }.filter { !$0.isEmpty }
    }
}

extension Substring {
    fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> String {
        let start = self.drop(while: isTrimmed)
        return String(start.reversed().drop(while: isTrimmed).reversed())
    }
}
