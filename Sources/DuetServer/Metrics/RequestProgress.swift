import HTTPTypes
import HummingbirdCore
import Synchronization

/// A request from its head to its end, which is observed once, whatever way it takes. The context goes down to the handlers by value;
/// through this reference the route's style comes back.
final class RequestProgress: Sendable {
    let requestID: String
    private let start = ServerTiming.now
    private let observe: ServerObserver
    private let routed = Atomic<RequestStyle>(.other)
    private let bytes = Atomic<Int>(0)
    private let hasEnded = Atomic<Bool>(false)

    init(requestID: String, observe: @escaping ServerObserver) {
        self.requestID = requestID
        self.observe = observe
        observe(.requestBegan)
    }

    /// Nobody will answer it any more: it was refused while its body was read, or its client left before the answer.
    deinit {
        if !hasEnded.load(ordering: .relaxed) { observe(.requestAbandoned(id: requestID)) }
    }

    /// The router has found the request's route.
    func route(to style: RequestStyle) {
        routed.store(style, ordering: .relaxed)
    }

    /// A piece of the body, or all of it, goes to the connection.
    func send(bytes count: Int) {
        bytes.wrappingAdd(count, ordering: .relaxed)
    }

    func end(_ request: Request, status: HTTPResponse.Status) {
        guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
        observe(
            .request(
                id: requestID, style: routed.load(ordering: .relaxed), method: request.method,
                target: request.uri.string, status: Int(status.code), bytes: bytes.load(ordering: .relaxed),
                nanoseconds: ServerTiming.now &- start))
    }
}
