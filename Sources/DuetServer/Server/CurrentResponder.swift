import Hummingbird
package import HummingbirdCore
import Synchronization

/// The responder of the API that is served now. Another API takes its place between two requests: a request that has begun ends as it
/// began.
package final class CurrentResponder: HTTPResponder {
    private let current: Mutex<DuetResponder>

    init(_ responder: DuetResponder) {
        current = Mutex(responder)
    }

    /// Answers the requests from now on by another responder.
    func replace(by responder: DuetResponder) {
        current.withLock { $0 = responder }
    }

    package func respond(to request: Request, context: DuetRequestContext) async throws -> Response {
        try await current.withLock { $0 }.respond(to: request, context: context)
    }
}
