import HummingbirdCore
import Synchronization

/// Passes each request to the responder of the current API, which can be replaced at any time. A request that began
/// before the replacement continues with the previous responder.
final class CurrentResponder: Sendable {
    private let current: Mutex<DuetResponder>

    init(_ responder: DuetResponder) {
        current = Mutex(responder)
    }

    /// Replaces the responder for all subsequent requests.
    func replace(by responder: DuetResponder) {
        current.withLock { $0 = responder }
    }

    func respond(to request: Request) async throws -> Response {
        try await current.withLock { $0 }.respond(to: request)
    }
}
