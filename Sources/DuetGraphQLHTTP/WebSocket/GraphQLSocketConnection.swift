package import DuetGraphQL
package import NIOCore

/// A WebSocket connection on which ``GraphQLSocket`` speaks. A server adopts this protocol for its own connections.
package protocol GraphQLSocketConnection: Sendable {
    /// The messages of the client.
    associatedtype Messages: AsyncSequence<GraphQLSocketInput, Never>

    /// The messages of the client. The sequence ends when either side closes the connection, also by ``close(_:)``, or
    /// when the connection is lost. It is iterated once.
    var messages: Messages { get }

    /// Sends a text message. The call waits while the client reads slowly. Concurrent calls send in their order.
    /// - Throws: Any error if the connection has ended or the task is canceled.
    func send(_ text: ByteBuffer) async throws

    /// Sends a close frame, unless the connection is already ending, and returns at once.
    func close(_ close: GraphQLSocketClose)
}

/// A message of the client.
package enum GraphQLSocketInput: Sendable, Hashable {
    /// A text in UTF-8.
    case text(ByteBuffer)
    /// A message that is not a text.
    case binary
}

/// The reason for which the server closes a connection: the code and the reason of the close frame.
package struct GraphQLSocketClose: Error, Sendable, Hashable {
    /// The status code.
    package let code: UInt16
    /// The reason, for developers. The connection shortens it if it is too long for a close frame.
    package let reason: String

    /// Creates a reason.
    package init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }
}

// The codes and reasons of the protocol graphql-transport-ws.

extension GraphQLSocketClose {
    /// A message is not valid.
    package static func invalidMessage(_ reason: String) -> GraphQLSocketClose {
        GraphQLSocketClose(code: 4400, reason: reason)
    }

    /// An operation was requested before the connection was acknowledged, or the client's identity is not valid any
    /// longer.
    package static let unauthorized = GraphQLSocketClose(code: 4401, reason: "Unauthorized")
    /// The server does not accept the client.
    package static let forbidden = GraphQLSocketClose(code: 4403, reason: "Forbidden")
    /// The server does not accept the client, for a reason.
    package static func forbidden(_ reason: String) -> GraphQLSocketClose {
        GraphQLSocketClose(code: 4403, reason: reason)
    }
    /// The client has not sent `connection_init` in time.
    package static let initTimeout = GraphQLSocketClose(code: 4408, reason: "Connection initialisation timeout")
    /// The client has sent `connection_init` twice.
    package static let tooManyInits = GraphQLSocketClose(code: 4429, reason: "Too many initialisation requests")

    /// The client has requested two operations with one identifier.
    package static func duplicate(_ id: String) -> GraphQLSocketClose {
        GraphQLSocketClose(code: 4409, reason: "Subscriber for \(id) already exists")
    }
}

/// The new identity of a client, after it has sent new credentials on a live connection.
package struct GraphQLSocketRenewal<Client: Sendable>: Sendable {
    /// The new identity.
    package let client: Client
    /// True if the rights of the client have changed, so that its earlier operations end.
    package let endsOperations: Bool

    /// Creates a new identity.
    package init(_ client: Client, endsOperations: Bool) {
        self.client = client
        self.endsOperations = endsOperations
    }
}

/// An element of the results of an operation.
package enum GraphQLSocketResult: Sendable {
    /// The JSON of a response.
    case next(ByteBuffer)
    /// The operation was not executed, or ends because of an error. No further result follows.
    case error([GraphQLError])

    /// Creates the result for a response of the engine.
    package init(_ response: GraphQLResponse) {
        switch response.kind {
        case .requestError: self = .error(response.errors)
        case .execution: self = .next(response.body)
        }
    }
}
