import DuetClient
import Synchronization

/// A transport that calls a closure before each request.
final class HookedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let hook: @Sendable () async throws(TransportError) -> Void

    init(
        _ base: any HTTPTransport = AsyncHTTPClientTransport(),
        _ hook: @escaping @Sendable () async throws(TransportError) -> Void
    ) {
        self.base = base
        self.hook = hook
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await hook()
        return try await base.send(request)
    }
}
