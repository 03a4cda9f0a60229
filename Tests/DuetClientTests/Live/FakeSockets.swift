import Foundation
import HTTPTypes
import Synchronization

@testable import DuetClient

/// A transport for WebSocket connections whose server is a closure.
final class FakeSockets: WebSocketTransport {
    /// Handles a message of the client.
    typealias Server = @Sendable (_ message: String, FakeConnection) -> Void
    /// Returns the response to an attempt, if it opens no connection.
    typealias Refusal = @Sendable (_ attempt: Int, TransportRequest) throws(TransportError) -> HTTPResponse?

    private let refuse: Refusal
    private let server: Server
    private let state = Mutex<(requests: [TransportRequest], connections: [FakeConnection])>(([], []))

    init(refuse: @escaping Refusal = { _, _ throws(TransportError) in nil }, _ server: @escaping Server) {
        self.refuse = refuse
        self.server = server
    }

    /// The requests for connections.
    var requests: [TransportRequest] { state.withLock { $0.requests } }
    /// The connections that were opened.
    var connections: [FakeConnection] { state.withLock { $0.connections } }

    func connect(
        _ request: TransportRequest, subprotocol: String, maximumMessageSize: Int, events: WebSocketEvents
    ) async throws(TransportError) -> WebSocketOpening {
        let attempt = state.withLock { state in
            state.requests.append(request)
            return state.requests.count
        }
        if let head = try refuse(attempt, request) { return .refused(head, Data()) }
        let connection = state.withLock { state in
            let connection = FakeConnection(state.connections.count + 1, events, server)
            state.connections.append(connection)
            return connection
        }
        return .open(connection)
    }
}

/// A connection to the server of ``FakeSockets``.
final class FakeConnection: WebSocketConnection {
    /// The number of the connection, from 1.
    let number: Int
    /// Set when the client closes the connection.
    let closed = Signal()
    private let events: WebSocketEvents
    private let server: FakeSockets.Server
    private let state = Mutex<(messages: [String], code: UInt16?)>(([], nil))

    init(_ number: Int, _ events: WebSocketEvents, _ server: @escaping FakeSockets.Server) {
        self.number = number
        self.events = events
        self.server = server
    }

    /// The messages of the client, without pings.
    var messages: [String] { state.withLock { $0.messages } }
    /// The code with which the client has closed the connection.
    var closeCode: UInt16? { state.withLock { $0.code } }

    func send(_ text: [UInt8]) {
        let message = String(decoding: text, as: UTF8.self)
        if !message.contains(#""ping""#) { state.withLock { $0.messages.append(message) } }
        if message.contains("connection_init") { deliver(#"{"type":"connection_ack"}"#) }
        server(message, self)
    }

    func close(_ code: UInt16) {
        state.withLock { $0.code = code }
        closed.set()
    }

    /// Sends a message to the client.
    func deliver(_ message: String) { events.message(Array(message.utf8)) }

    /// Ends the connection.
    func end(_ end: WebSocketEnd) { events.end(end) }

    /// Sends a result with the last name of an employee.
    func deliver(lastName: String, id: Int = 1) {
        deliver(#"{"id":"\#(id)","type":"next","payload":\#(Answers.employee(lastName: lastName))}"#)
    }
}
