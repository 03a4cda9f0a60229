import DuetJSON
import NIOCore

/// A screen that clients watch, and the changes of another program.
package struct LiveTask: Sendable {
    /// A value on the screen with two requests, each of which stores another value.
    struct Toggle: Sendable {
        let on: Request
        let off: Request
    }

    /// The read of the screen: one REST request, and one GraphQL operation.
    let screen: Scenario
    /// The values that can probably be changed. The first ones that the server accepts are used.
    let candidates: [Toggle]
    private let read: Request
    private let operation: TaskOperation
    private let reader: ConnectionReader

    init(_ screen: Scenario, candidates: [Toggle]) throws {
        guard let read = try screen.rounds(of: .restSparse).first?.filled(from: []).first,
            let operation = screen.operations.first
        else { throw UnexpectedAnswer("\(screen.name) has no request") }
        self.screen = screen
        self.candidates = candidates
        self.read = read
        self.operation = operation
        reader = try ConnectionReader(operation.document)
    }

    /// The read of the screen over REST.
    var request: Request { read }

    /// The request for the first answer in a way that sends requests, or for the events.
    func request(_ way: LiveWay) throws -> Request {
        switch way {
        case .restPolling, .restPollingTag, .restLongPolling: return read
        case .restEvents, .restPatches:
            var request = read
            request.accept = Self.events
            if way == .restPatches { request.prefer = "patch=json" }
            return request
        case .graphQLPolling: return try operation.request(.graphQL, isWrite: false)
        case .graphQLPollingTag: return try operation.request(.graphQLPersisted, isWrite: false)
        case .graphQLEvents, .graphQLWebSocket:
            var request = try TaskOperation(document: subscription).request(.graphQL, isWrite: false)
            request.accept = Self.events
            return request
        }
    }

    private static let events = "text/event-stream"

    /// The operation as a subscription.
    var subscription: String { operation.document.replacing(/^query\b/, with: "subscription") }

    /// The request that registers the document under its hash.
    var registration: Request { operation.registration }

    /// Returns the values that an answer shows. They are equal for both styles.
    func state(_ answer: JSONValue, isGraphQL: Bool) throws -> JSONValue {
        guard isGraphQL else { return try screen.picks.values(of: [answer], in: .restSparse) }
        if let errors = answer["errors"] { throw UnexpectedAnswer("/graphql: \(errors.errorMessages)") }
        return try screen.picks.values(of: [try reader.value(of: answer)], in: .graphQL)
    }
}

extension LiveTask {
    /// The number of values that are changed in turn. With four values, there are fifteen different states.
    private static let toggles = 4
    /// The maximum number of values that are tried.
    private static let attempts = 40

    /// Returns the values whose changes the server accepts and the screen shows.
    /// - Throws: ``UnexpectedAnswer`` if there is none, with the reason for the first one.
    func toggles(through client: WireClient) async throws -> [Toggle] {
        var found: [Toggle] = []
        var reason: UnexpectedAnswer?
        for toggle in candidates.prefix(Self.attempts) where found.count < Self.toggles {
            do {
                _ = try await client.expecting(toggle.on)
                let on = try await state(through: client)
                _ = try await client.expecting(toggle.off)
                let off = try await state(through: client)
                if on != off { found.append(toggle) }
            } catch let error as UnexpectedAnswer {
                reason = reason ?? error
            }
        }
        guard found.isEmpty else { return found }
        throw reason ?? UnexpectedAnswer("no change of \(screen.name) is shown")
    }

    /// The current state of the screen.
    func state(through client: WireClient) async throws -> JSONValue {
        let body = try await client.expecting(read).body
        return try state(JSONValue(parsing: body.readableBytesView), isGraphQL: false)
    }
}
