import HTTPTypes
import HummingbirdCore
import Synchronization

/// The progress of a request from its head to the end of its response. The end of each request is reported to the
/// ``ServerObserver`` exactly once, even if no response was sent. The router records the style of the route in this
/// object, because a request that ends with an error has a style, too.
final class RequestProgress: Sendable {
    let requestID: String
    /// The span of the request; nil if the request is not traced.
    let span: RequestSpan?
    private let start = ServerTiming.now
    private let observe: ServerObserver
    private let routed = Atomic<RequestStyle>(.other)
    private let bytes = Atomic<Int>(0)
    private let hasEnded = Atomic<Bool>(false)

    init(requestID: String, span: RequestSpan? = nil, observe: @escaping ServerObserver) {
        self.requestID = requestID
        self.span = span
        self.observe = observe
        observe(.requestBegan)
    }

    /// Reports a request without a response. The connection has rejected the request while its body was read, or the
    /// client has disconnected.
    deinit {
        guard !hasEnded.load(ordering: .relaxed) else { return }
        observe(.requestAbandoned(id: requestID))
        span?.end(status: nil)
    }

    /// Records the request's route.
    func route(to style: RequestStyle, path: String) {
        routed.store(style, ordering: .relaxed)
        span?.route(to: path)
    }

    /// Adds to the number of body bytes that were passed to the connection.
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
        span?.end(status: Int(status.code))
    }
}
