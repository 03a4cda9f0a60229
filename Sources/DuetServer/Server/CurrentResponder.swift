import Hummingbird
package import HummingbirdCore
import Synchronization

/// The responder of the current API. It can be replaced between two requests. A request that has begun continues with
/// its responder.
package final class CurrentResponder: HTTPResponder {
    private let current: Mutex<DuetResponder>

    init(_ responder: DuetResponder) {
        current = Mutex(responder)
    }

    /// Replaces the responder for all subsequent requests.
    func replace(by responder: DuetResponder) {
        current.withLock { $0 = responder }
    }

    package func respond(to request: Request, context: DuetRequestContext) async throws -> Response {
        try await current.withLock { $0 }.respond(to: request, context: context)
    }
}
