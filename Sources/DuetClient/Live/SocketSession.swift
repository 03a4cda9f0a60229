import DuetJSON
import Synchronization

/// One connection of the protocol graphql-transport-ws, and the subscriptions on it.
final class SocketSession: Sendable {
    /// The reason for which a subscription has ended before the server has completed it.
    enum OperationEnd: Error {
        /// The service has refused or ended the subscription.
        case refused([GraphQLResponseError])
        /// The response is not a GraphQL response.
        case invalid(GraphQLClientError)
        /// The connection has ended.
        case disconnected
        /// The task is canceled.
        case cancelled
    }

    private typealias Results = NewestValue<ParsedResponse, OperationEnd>

    private struct State {
        var connection: (any WebSocketConnection)?
        var operations: [String: Results] = [:]
        var lastIdentifier = 0
        /// The number of heartbeats since the last message of the server.
        var silentIntervals = 0
        var heartbeat: Task<Void, Never>?
        var hasResults = false
        var hasEnded = false
    }

    private let settings: LiveSettings
    private let onEnd: @Sendable (WebSocketEnd, _ hasResults: Bool) -> Void
    private let acknowledgement = NewestValue<Void, Never>()
    private let state = Mutex(State())

    /// - Parameter onEnd: Called when the connection ends, except by ``close()``. The second argument is true if a
    ///   subscription has received a result.
    init(_ settings: LiveSettings, onEnd: @escaping @Sendable (WebSocketEnd, _ hasResults: Bool) -> Void) {
        self.settings = settings
        self.onEnd = onEnd
    }

    /// True until the connection ends.
    var isOpen: Bool { state.withLock { !$0.hasEnded } }

    /// The closures for the events of the connection.
    var events: WebSocketEvents { WebSocketEvents(message: { self.receive($0) }, end: { self.end($0) }) }

    // MARK: The connection

    /// Waits until the server acknowledges the connection, or the connection ends.
    func start(on connection: any WebSocketConnection) async {
        let isOpen = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.connection = connection
            state.heartbeat = Task { [settings] in
                while (try? await settings.clock.sleep(for: settings.heartbeatInterval)) != nil { self.beat() }
            }
            return true
        }
        guard isOpen else { return connection.close(Self.normal) }
        connection.send(Array(#"{"type":"connection_init"}"#.utf8))
        let deadline = Task { [settings] in
            // Answers to pings do not show that the server will acknowledge the connection.
            if (try? await settings.clock.sleep(for: settings.maximumSilence)) != nil {
                self.end(.lost(TransportError(.timedOut)))
            }
        }
        _ = await acknowledgement.next()
        deadline.cancel()
    }

    /// Closes the connection, because it is not needed any longer.
    func close() { finish()?.connection?.close(Self.normal) }

    /// The code of a regular end (RFC 6455, section 7.4.1).
    private static let normal: UInt16 = 1000

    private func end(_ ending: WebSocketEnd) {
        guard let last = finish({ self.onEnd(ending, $0) }) else { return }
        if case .closed(let code, _) = ending, code == Self.invalidMessage { last.connection?.close(code) }
        if case .lost = ending { last.connection?.close(Self.normal) }
    }

    /// Ends all subscriptions.
    /// - Returns: The last state; `nil` if the connection has ended before.
    private func finish(_ report: (_ hasResults: Bool) -> Void = { _ in }) -> State? {
        let last = state.withLock { state -> State? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            defer { state = State(hasEnded: true) }
            return state
        }
        guard let last else { return nil }
        last.heartbeat?.cancel()
        // The subscriptions request a new connection as soon as they end.
        report(last.hasResults)
        acknowledgement.finish()
        for results in last.operations.values { results.finish(.disconnected) }
        return last
    }

    private func beat() {
        let connection = state.withLock { state in
            state.silentIntervals += 1
            return state.silentIntervals >= LiveSettings.silentIntervals ? nil : state.connection
        }
        guard let connection else { return end(.lost(TransportError(.timedOut))) }
        connection.send(Array(#"{"type":"ping"}"#.utf8))
    }

    // MARK: Subscriptions

    /// Runs a subscription until the server completes it.
    /// - Parameters:
    ///   - payload: The JSON of the request.
    ///   - receive: Handles a response. If responses arrive while it runs, it is then called only with the last one.
    ///     The second argument is true for the first response.
    func run(
        _ payload: [UInt8], _ receive: (ParsedResponse, _ isFirst: Bool) async -> Void
    ) async throws(OperationEnd) {
        let results = Results()
        let opened = state.withLock { state -> (identifier: String, connection: any WebSocketConnection)? in
            guard let connection = state.connection else { return nil }
            state.lastIdentifier += 1
            state.operations["\(state.lastIdentifier)"] = results
            return ("\(state.lastIdentifier)", connection)
        }
        guard let (identifier, connection) = opened else { throw .disconnected }
        connection.send(Array("{\"id\":\"\(identifier)\",\"type\":\"subscribe\",\"payload\":".utf8) + payload + [0x7D])
        defer {
            if remove(identifier) != nil { sendComplete(identifier) }
        }
        var isFirst = true
        while let response = try await results.next() {
            await receive(response, isFirst)
            isFirst = false
        }
        if Task.isCancelled { throw .cancelled }
    }

    private func remove(_ identifier: String) -> Results? {
        state.withLock { $0.operations.removeValue(forKey: identifier) }
    }

    private func sendComplete(_ identifier: String) {
        state.withLock { $0.connection }?.send(Array("{\"id\":\"\(identifier)\",\"type\":\"complete\"}".utf8))
    }

    // MARK: Messages of the server

    /// The code for a message that is not valid (graphql-transport-ws).
    private static let invalidMessage: UInt16 = 4400

    private func receive(_ message: [UInt8]) {
        state.withLock { $0.silentIntervals = 0 }
        guard let root = try? JSONTape(parsing: message, maximumDepth: ParsedResponse.maximumDepth + 1).root,
            root.kind == .object, let type = root["type"]?.string
        else { return end(.closed(code: Self.invalidMessage, reason: "The message of the service is invalid.")) }
        switch type {
        case "connection_ack": acknowledgement.put(())
        case "ping": state.withLock { $0.connection }?.send(Array(#"{"type":"pong"}"#.utf8))
        case "next", "error", "complete":
            guard let identifier = root["id"]?.string else { return }
            receive(type, identifier, root["payload"])
        default: break
        }
    }

    private func receive(_ type: String, _ identifier: String, _ payload: JSONTape.Value?) {
        switch type {
        case "next":
            let results = state.withLock { state in
                state.hasResults = true
                return state.operations[identifier]
            }
            guard let results else { return }
            do throws(GraphQLClientError) {
                guard let payload else { throw GraphQLClientError(.invalidResponse, "A result has no payload.") }
                let response = try ParsedResponse(payload)
                guard response.isRequestError else { return results.put(response) }
                fail(identifier, .refused(response.errors))
            } catch {
                fail(identifier, .invalid(error))
            }
        case "error":
            let errors = payload?.kind == .array ? payload?.elements.map { GraphQLResponseError($0.json) } : nil
            remove(identifier)?.finish(.refused(errors ?? []))
        default: remove(identifier)?.finish()
        }
    }

    /// Ends a subscription that the server has not completed.
    private func fail(_ identifier: String, _ end: OperationEnd) {
        guard let results = remove(identifier) else { return }
        sendComplete(identifier)
        results.finish(end)
    }
}
