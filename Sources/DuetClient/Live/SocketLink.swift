import Foundation
import HTTPTypes
import Synchronization

/// A connection that live queries of one caller share. It is opened again when it is lost.
final class SocketLink: Sendable {
    private struct State {
        var session: SocketSession?
        var retries: Retries
        /// True if the next attempt follows a failure, so that it waits for a pause.
        var hasFailed = false
        /// The minimum of the next pause, which the server has requested.
        var requestedPause = Duration.zero
        /// The token that the server does not accept any longer.
        var refusedToken: String?
        /// The error of all further attempts.
        var error: GraphQLClientError?
        var isClosed = false
    }

    /// The caller whose token the connection has.
    let caller: Caller?
    private let socket: GraphQLSocket
    private let state: Mutex<State>
    private let connecting = SharedWork<Int, SocketSession, GraphQLClientError>(
        cancelled: { GraphQLClientError(TransportError(.cancelled)) })

    init(_ socket: GraphQLSocket, _ caller: Caller?) {
        self.socket = socket
        self.caller = caller
        state = Mutex(State(retries: Retries(socket.settings)))
    }

    /// Returns the open connection, or opens one.
    /// - Throws: ``GraphQLClientError`` if another attempt would not help, or if the task is canceled.
    func session() async throws(GraphQLClientError) -> SocketSession {
        if let session = state.withLock({ $0.session }) { return session }
        return try await connecting.value(for: 0) { [self] () throws(GraphQLClientError) in try await connect() }
    }

    /// Closes the connection after the last live query.
    func close() {
        let session = state.withLock { state in
            state.isClosed = true
            return state.session.take()
        }
        session?.close()
    }

    private func connect() async throws(GraphQLClientError) -> SocketSession {
        while true {
            // The last attempt, or an earlier call, may have opened a connection.
            let (session, error) = state.withLock { ($0.session, $0.error) }
            if let session { return session }
            if let error { throw error }
            try await pause()
            try await attempt(token: try await token())
        }
    }

    /// Tries to open a connection. If it fails and another attempt may succeed, returns without an error.
    private func attempt(token: String?) async throws(GraphQLClientError) {
        let session = SocketSession(socket.settings) { [weak self] ending, hasResults in
            self?.ended(ending, token: token, hasResults: hasResults)
        }
        let opening: WebSocketOpening
        do throws(TransportError) {
            var request = try TransportRequest(
                .get, url: socket.url, headerFields: socket.headerFields, timeout: socket.settings.maximumSilence,
                caller: caller)
            if let token { request.head.headerFields[.authorization] = "Bearer \(token)" }
            opening = try await socket.transport.connect(
                request, subprotocol: GraphQLSocket.subprotocol, maximumMessageSize: socket.messageLimit,
                events: session.events)
        } catch {
            guard error.code.mayBeTemporary else { throw GraphQLClientError(error) }
            return failed()
        }
        switch opening {
        case .open(let connection):
            await session.start(on: connection)
            try keep(session)
        case .refused(let head, let body):
            try refused(head, body, token: token)
        }
    }

    /// Stores an acknowledged connection, unless it is lost or not needed any longer.
    private func keep(_ session: SocketSession) throws(GraphQLClientError) {
        let isClosed = state.withLock { state in
            guard !state.isClosed, !Task.isCancelled else { return true }
            if session.isOpen {
                state.session = session
                state.refusedToken = nil
            }
            return false
        }
        guard isClosed else { return }
        session.close()
        throw GraphQLClientError(TransportError(.cancelled))
    }

    // MARK: Pauses and tokens

    private func failed(atLeast pause: Duration = .zero) {
        state.withLock { state in
            state.hasFailed = true
            state.requestedPause = pause
            // The token source may have another token after the pause. Only two refusals in succession are final.
            state.refusedToken = nil
        }
    }

    private func pause() async throws(GraphQLClientError) {
        let pause = state.withLock { state -> Duration? in
            guard state.hasFailed else { return nil }
            state.hasFailed = false
            return state.retries.pause(atLeast: state.requestedPause)
        }
        guard let pause else { return }
        do {
            try await socket.settings.clock.sleep(for: pause)
        } catch {
            throw GraphQLClientError(TransportError(.cancelled))
        }
    }

    /// Returns the token for the connection. If the server has refused a token, waits for a new one.
    private func token() async throws(GraphQLClientError) -> String? {
        guard let current = socket.caller else { return nil }
        guard let caller else { throw GraphQLClientError(TransportError(.noCaller)) }
        let refused = state.withLock { $0.refusedToken }
        while true {
            let credential: CurrentCaller.Credential
            do throws(TransportError) {
                credential = try await current.credential(of: caller, refused: refused)
            } catch {
                // A token source that throws an error may have a token later.
                guard error.code.mayBeTemporary else { throw GraphQLClientError(error) }
                failed()
                try await pause()
                continue
            }
            guard let refused, credential.wasRefused || credential.token == refused else { return credential.token }
            throw .unauthorized
        }
    }

    // MARK: The end of a connection

    /// Handles a response that opens no connection.
    private func refused(_ head: HTTPResponse, _ body: Data, token: String?) throws(GraphQLClientError) {
        if head.status.isTemporaryFailure {
            return failed(atLeast: RetryAfter(head.headerFields[.retryAfter])?.pause(from: Date()) ?? .zero)
        }
        let isRenewable = state.withLock { state in
            // The server refuses the second token, too, if the caller has no rights.
            guard head.status == .unauthorized, let token, socket.caller != nil, state.refusedToken == nil else {
                return false
            }
            state.refusedToken = token
            return true
        }
        if isRenewable { return }
        let reply = GraphQLReply(head, body: Array(body))
        do throws(GraphQLClientError) {
            try reply.checkThatItIsGraphQL()
            throw GraphQLClientError(refusing: try ParsedResponse(reply).errors, status: head.status.code)
        } catch {
            var error = error
            error.code = .refused
            throw error
        }
    }

    /// Handles the end of an open connection.
    /// - Parameter hasResults: True if a live query has received a result on the connection.
    private func ended(_ ending: WebSocketEnd, token: String?, hasResults: Bool) {
        state.withLock { state in
            state.session = nil
            state.requestedPause = .zero
            // A server that acknowledges connections but ends them at once must not be asked without pauses.
            if hasResults { state.retries.succeeded() }
            switch ending {
            case .lost(let error) where error.code.mayBeTemporary: state.hasFailed = true
            case .lost(let error): state.error = GraphQLClientError(error)
            case .closed(code: 4401, _) where token != nil && socket.caller != nil:
                state.refusedToken = token
                // A server that accepts no token for long must not be asked without pauses.
                if !hasResults { state.hasFailed = true }
            case .closed(code: Self.restart, _):
                state.hasFailed = true
                state.requestedPause = socket.settings.pauseAfterRestart()
            case .closed(let code, _) where Self.temporaryCodes.contains(code): state.hasFailed = true
            case .closed(let code, let reason):
                state.error = GraphQLClientError(
                    .refused,
                    "The service has closed the WebSocket connection with the code \(code)"
                        + (reason.isEmpty ? "." : ": \(reason)"))
            }
        }
    }

    /// The codes of close frames after which another connection may succeed: the server ends, is overloaded or has
    /// failed (RFC 6455, section 7.4.1), or the acknowledgement was too late (graphql-transport-ws).
    private static let temporaryCodes: Set<UInt16> = [1000, 1001, 1005, 1006, 1011, 1013, 1014, 4408, 4500, 4504]

    /// The code of a server that restarts.
    private static let restart: UInt16 = 1012
}

extension GraphQLClientError {
    fileprivate static var unauthorized: GraphQLClientError {
        GraphQLClientError(
            .refused, "The service does not accept the token of the caller any longer. Log in again.", status: 401)
    }
}
