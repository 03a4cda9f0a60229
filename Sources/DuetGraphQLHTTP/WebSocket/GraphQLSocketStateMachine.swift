internal import DuetJSON
internal import NIOCore

/// The state of one connection of the protocol graphql-transport-ws. It decides which operations are executed, which
/// messages the client receives, and when the connection is closed.
///
/// Each method handles an event and returns actions. ``GraphQLSocket`` calls the methods and performs the actions.
struct GraphQLSocketStateMachine {
    private enum Phase {
        /// The client has not sent `connection_init`.
        case opened
        /// The server is identifying the client.
        case authenticating
        /// The client may request operations.
        case acknowledged
        /// The connection is closed or closing.
        case closed
    }

    /// Identifies one execution. The client can use an identifier of an operation again after the end of the operation,
    /// while the server is still ending its work.
    typealias Execution = Int

    private let maximumOperations: Int
    private var phase = Phase.opened
    private var executions: [String: Execution] = [:]
    /// The number of executions whose work has not ended. It includes those that the client has completed.
    private var runningCount = 0
    private var executionCount = 0

    init(maximumOperations: Int) {
        self.maximumOperations = maximumOperations
    }

    /// An action after an event.
    enum Action: Equatable {
        /// Send a message.
        case send(ByteBuffer)
        /// Identify the client, then call ``authenticated(_:)`` or ``close(_:)``.
        case authenticate(JSONObject?)
        /// Send `pong`, after the client was identified again if the payload of its `ping` has new credentials.
        case pong(JSONObject?)
        /// Execute an operation. Call ``accepts(_:of:)`` before each result, ``end(_:of:)`` at its end, and
        /// ``finished()`` when no work remains.
        case start(id: String, Execution, GraphQLRequest)
        /// Cancel an execution.
        case cancel(Execution)
        /// Close the connection.
        case close(GraphQLSocketClose)
    }

    // MARK: Messages of the client

    /// Handles a message.
    /// - Returns: The action; nil if there is nothing to do.
    mutating func receive(_ input: GraphQLSocketInput) -> Action? {
        guard self.phase != .closed else { return nil }
        guard case .text(let text) = input else { return self.close(.invalidMessage("The message is not a text.")) }
        do throws(GraphQLSocketClose) {
            return try self.receive(try GraphQLSocketMessage(parsing: text))
        } catch {
            return self.close(error)
        }
    }

    private mutating func receive(_ message: GraphQLSocketMessage) throws(GraphQLSocketClose) -> Action? {
        switch message {
        case .connectionInit(let payload):
            guard self.phase == .opened else { throw .tooManyInits }
            self.phase = .authenticating
            return .authenticate(payload)
        case .ping(let payload):
            return .pong(payload)
        case .pong:
            return nil
        case .subscribe(let id, let request):
            return try self.subscribe(id, request)
        case .complete(let id):
            // An unknown operation may have ended while the message was under way.
            return self.executions.removeValue(forKey: id).map(Action.cancel)
        }
    }

    private mutating func subscribe(
        _ id: String, _ request: GraphQLRequest
    ) throws(GraphQLSocketClose) -> Action {
        guard self.phase == .acknowledged else { throw .unauthorized }
        guard self.executions[id] == nil else { throw .duplicate(id) }
        // A client that completes operations at once must not start work without limit.
        guard self.executions.count < self.maximumOperations, self.runningCount < 2 * self.maximumOperations else {
            let error = GraphQLError(
                "The connection has \(self.maximumOperations) active operations, which is the maximum. Complete one first.",
                extensions: ["code": .string("TOO_MANY_OPERATIONS")])
            return .send(GraphQLSocketOutput.errors([error], id: id))
        }
        self.executionCount += 1
        self.runningCount += 1
        self.executions[id] = self.executionCount
        return .start(id: id, self.executionCount, request)
    }

    // MARK: The connection

    /// Handles the identification of the client.
    /// - Parameter payload: The payload of the acknowledgement.
    mutating func authenticated(_ payload: JSONObject?) -> Action? {
        guard self.phase == .authenticating else { return nil }
        self.phase = .acknowledged
        return .send(GraphQLSocketOutput.message("connection_ack", payload: payload))
    }

    /// Handles the end of the time for `connection_init`. The identification of the client may take longer.
    mutating func initTimedOut() -> Action? {
        self.phase == .opened ? self.close(.initTimeout) : nil
    }

    /// Closes the connection for a reason of the server.
    /// - Returns: The action; nil if the connection is already closed.
    mutating func close(_ close: GraphQLSocketClose) -> Action? {
        guard self.phase != .closed else { return nil }
        self.closed()
        return .close(close)
    }

    /// Ends all operations. The caller sends a message for each.
    mutating func endOperations() -> [(id: String, execution: Execution)] {
        defer { self.executions = [:] }
        return self.executions.map { ($0.key, $0.value) }
    }

    /// Handles the end of the connection.
    mutating func closed() {
        self.phase = .closed
        self.executions = [:]
    }

    // MARK: Executions

    /// Returns true if the client still waits for results of an execution.
    func accepts(_ execution: Execution, of id: String) -> Bool {
        self.executions[id] == execution
    }

    /// Handles the end of the work of an execution.
    mutating func finished() { self.runningCount -= 1 }

    /// Handles the end of the results of an execution.
    /// - Returns: True if the client still waits for results, and must receive the message that ends the operation.
    mutating func end(_ execution: Execution, of id: String) -> Bool {
        guard self.executions[id] == execution else { return false }
        self.executions[id] = nil
        return true
    }
}
