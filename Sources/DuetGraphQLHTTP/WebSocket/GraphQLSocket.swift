internal import DuetGraphQL
package import DuetJSON
internal import NIOCore
internal import Synchronization

/// The protocol graphql-transport-ws on one WebSocket connection: the client requests operations of any type, and
/// receives their results.
///
/// Protocol: <https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md>.
package enum GraphQLSocket {
    /// The name of the subprotocol in `Sec-WebSocket-Protocol`.
    package static let subprotocol = "graphql-transport-ws"

    /// Returns a `ping` with a notice for developers.
    package static func ping(_ notice: String) -> ByteBuffer {
        GraphQLSocketOutput.message("ping", payload: ["notice": .string(notice)])
    }

    /// Selects the subprotocol of a connection.
    ///
    /// The protocol has the code 4406 for a connection without an acceptable subprotocol. But browsers abort a
    /// connection whose response selects none, so only a response with a status and a text reaches developers.
    /// - Parameter offered: The values of `Sec-WebSocket-Protocol`.
    /// - Throws: The error of the response to the handshake, with the status 400.
    package static func selectSubprotocol(from offered: [String]) throws(GraphQLRequestError) -> String {
        if offered.contains(Self.subprotocol) { return Self.subprotocol }
        // Subprotocol of the older library subscriptions-transport-ws.
        throw .malformed(
            offered.contains("graphql-ws")
                ? "The subprotocol graphql-ws is not supported. Use its successor \(Self.subprotocol)."
                : "Offer the subprotocol \(Self.subprotocol) in Sec-WebSocket-Protocol.")
    }

    /// Serves a connection until it ends. When the function returns, all work of the connection has ended.
    /// - Parameters:
    ///   - authenticate: Identifies the client by the payload of `connection_init`. The second value of the result is
    ///     the payload of `connection_ack`. If the closure throws a ``GraphQLSocketClose``, it is the reason in the
    ///     close frame; after any other error, the code is 4403.
    ///   - renew: Identifies the client by the payload of a later `ping`. It returns nil if the payload has no new
    ///     credentials. Operations that begin after the `pong` have the new identity. If ``GraphQLSocketRenewal`` says
    ///     so, earlier operations end with an error. Thrown errors are those of `authenticate`.
    ///   - execute: Executes an operation, and returns its results. The task that runs the closure and iterates the
    ///     results is canceled when the client completes the operation, or when the connection ends. A thrown
    ///     ``GraphQLSocketClose`` closes the connection, for example when the client's token has expired. A thrown
    ///     `GraphQLError`, `GraphQLErrors` or ``GraphQLRequestError`` ends the operation with an `error` message, and
    ///     so does any other error, whose text the client does not receive.
    package static func run<
        Connection: GraphQLSocketConnection, Client: Sendable, Results: AsyncSequence & SendableMetatype
    >(
        _ connection: Connection, limits: GraphQLSocketLimits = GraphQLSocketLimits(),
        authenticate: @escaping @Sendable (JSONObject?) async throws -> (Client, acknowledgement: JSONObject?),
        renew: @escaping @Sendable (JSONObject, Client) async throws -> GraphQLSocketRenewal<Client>? = { _, _ in nil },
        execute: @escaping @Sendable (GraphQLRequest, Client) async throws -> Results
    ) async where Results.Element == GraphQLSocketResult {
        let session = Session(connection, limits, authenticate, renew, execute)
        await session.run()
    }
}

extension GraphQLSocket {
    /// The work for one connection.
    private final class Session<
        Connection: GraphQLSocketConnection, Client: Sendable, Results: AsyncSequence & SendableMetatype
    >: Sendable
    where Results.Element == GraphQLSocketResult {
        private struct State {
            var machine: GraphQLSocketStateMachine
            var client: Client?
            /// The tasks that have not ended, by the number of the execution. The tasks of the connection have negative
            /// numbers.
            var tasks: [Int: Task<Void, Never>] = [:]
        }

        private let connection: Connection
        private let limits: GraphQLSocketLimits
        private let authenticate: @Sendable (JSONObject?) async throws -> (Client, acknowledgement: JSONObject?)
        private let renew: @Sendable (JSONObject, Client) async throws -> GraphQLSocketRenewal<Client>?
        private let execute: @Sendable (GraphQLRequest, Client) async throws -> Results
        private let state: Mutex<State>

        private static var timeout: Int { -1 }
        private static var authentication: Int { -2 }

        init(
            _ connection: Connection, _ limits: GraphQLSocketLimits,
            _ authenticate: @escaping @Sendable (JSONObject?) async throws -> (Client, acknowledgement: JSONObject?),
            _ renew: @escaping @Sendable (JSONObject, Client) async throws -> GraphQLSocketRenewal<Client>?,
            _ execute: @escaping @Sendable (GraphQLRequest, Client) async throws -> Results
        ) {
            self.connection = connection
            self.limits = limits
            self.authenticate = authenticate
            self.renew = renew
            self.execute = execute
            self.state = Mutex(
                State(machine: GraphQLSocketStateMachine(maximumOperations: limits.maximumOperations)))
        }

        func run() async {
            await withTaskCancellationHandler {
                self.begin(Self.timeout) { await self.waitForInit() }
                for await input in self.connection.messages {
                    guard let action = self.state.withLock({ $0.machine.receive(input) }) else { continue }
                    await self.perform(action)
                }
                self.end()
                // Each task removes itself at its end.
                while let task = self.state.withLock({ $0.tasks.first?.value }) { await task.value }
            } onCancel: {
                self.end()
            }
        }

        private func end() {
            let tasks = self.state.withLock { state in
                state.machine.closed()
                return Array(state.tasks.values)
            }
            for task in tasks { task.cancel() }
        }

        /// Begins a task that ``run()`` waits for.
        private func begin(_ number: Int, _ work: @escaping @Sendable () async -> Void) {
            self.state.withLock { state in
                state.tasks[number] = Task {
                    await work()
                    self.state.withLock { $0.tasks[number] = nil }
                }
            }
        }

        private func perform(_ action: GraphQLSocketStateMachine.Action?) async {
            switch action {
            case nil: break
            case .send(let message):
                // If the connection has ended, its messages end, too.
                try? await self.connection.send(message)
            case .authenticate(let payload):
                self.state.withLock { $0.tasks[Self.timeout] }?.cancel()
                self.begin(Self.authentication) { await self.identify(payload) }
            case .pong(let payload):
                // Further messages wait, so the operations that follow have the new identity.
                if let payload, await !self.renew(payload) { return }
                try? await self.connection.send(GraphQLSocketOutput.message("pong", payload: payload))
            case .start(let id, let execution, let request):
                self.begin(execution) {
                    await self.run(request, execution, of: id)
                    self.state.withLock { $0.machine.finished() }
                }
            case .cancel(let execution):
                self.state.withLock { $0.tasks[execution] }?.cancel()
            case .close(let close):
                self.connection.close(close)
                self.end()
            }
        }

        private func waitForInit() async {
            guard (try? await Task.sleep(for: self.limits.initTimeout)) != nil else { return }
            await self.perform(self.state.withLock { $0.machine.initTimedOut() })
        }

        private func identify(_ payload: JSONObject?) async {
            do {
                let (client, acknowledgement) = try await self.authenticate(payload)
                let action = self.state.withLock { state in
                    state.client = client
                    return state.machine.authenticated(acknowledgement)
                }
                await self.perform(action)
            } catch {
                await self.close(error as? GraphQLSocketClose ?? .forbidden)
            }
        }

        /// Replaces the identity of the client if the payload of a `ping` has new credentials.
        /// - Returns: False if the connection was closed, because the credentials are not valid.
        private func renew(_ payload: JSONObject) async -> Bool {
            guard let client = self.state.withLock({ $0.client }) else { return true }
            do {
                guard let renewal = try await self.renew(payload, client) else { return true }
                let ended = self.state.withLock { state in
                    state.client = renewal.client
                    return renewal.endsOperations ? state.machine.endOperations() : []
                }
                let error = GraphQLError(
                    "The operation ends, because the connection has a new token with other rights. Request it again.",
                    extensions: ["code": .string("TOKEN_REPLACED")])
                for (id, execution) in ended {
                    self.state.withLock { $0.tasks[execution] }?.cancel()
                    try? await self.connection.send(GraphQLSocketOutput.errors([error], id: id))
                }
                return true
            } catch {
                await self.close(error as? GraphQLSocketClose ?? .forbidden)
                return false
            }
        }

        private func close(_ close: GraphQLSocketClose) async {
            await self.perform(self.state.withLock { $0.machine.close(close) })
        }

        private func run(
            _ request: GraphQLRequest, _ execution: GraphQLSocketStateMachine.Execution, of id: String
        ) async {
            guard let client = self.state.withLock({ $0.client }) else { return }
            do {
                for try await result in try await self.execute(request, client) {
                    switch result {
                    case .next(let body):
                        guard self.state.withLock({ $0.machine.accepts(execution, of: id) }) else { return }
                        let message = GraphQLSocketOutput.message("next", id: id, payload: body.readableBytesView)
                        try await self.connection.send(message)
                    case .error(let errors):
                        return await self.fail(errors, execution, of: id)
                    }
                }
                await self.finish(execution, of: id, with: GraphQLSocketOutput.message("complete", id: id))
            } catch let error as GraphQLSocketClose {
                await self.close(error)
            } catch let error as GraphQLErrors {
                await self.fail(error.errors, execution, of: id)
            } catch let error as GraphQLError {
                await self.fail([error], execution, of: id)
            } catch let error as GraphQLRequestError {
                await self.fail([error.error], execution, of: id)
            } catch {
                let text = "The operation failed because of an error of the server."
                await self.fail(
                    [GraphQLError(text, extensions: ["code": .string("INTERNAL_SERVER_ERROR")])], execution, of: id)
            }
        }

        private func fail(
            _ errors: [GraphQLError], _ execution: GraphQLSocketStateMachine.Execution, of id: String
        ) async {
            await self.finish(execution, of: id, with: GraphQLSocketOutput.errors(errors, id: id))
        }

        private func finish(
            _ execution: GraphQLSocketStateMachine.Execution, of id: String, with message: ByteBuffer
        ) async {
            guard self.state.withLock({ $0.machine.end(execution, of: id) }) else { return }
            try? await self.connection.send(message)
        }
    }
}
