public import Foundation
public import HTTPTypes

/// Sends one HTTP request and receives one response.
///
/// Everything else is above it and works with any transport: retries, persisted queries, caches, and one request for several equal
/// ones. ``DefaultTransport/make()`` returns the one of the platform; a test or an app can have its own.
///
/// Cancelling the task that calls ``send(_:)``, or that reads the body, cancels the request.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns as soon as the head of the response is there.
    ///
    /// A response of any status is a response; only a request without one is an error.
    /// - Throws: ``TransportError``.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

/// A request as a transport sends it.
public struct TransportRequest: Sendable, Hashable {
    /// Method, address and header fields.
    public var head: HTTPRequest
    /// The bytes of the body; `nil` for a request without one.
    public var body: Data?
    /// The maximum time from sending to the head of the response, and from then on between two parts of the body.
    public var timeout: Duration

    /// A request with that head and body.
    public init(_ head: HTTPRequest, body: Data? = nil, timeout: Duration = .seconds(30)) {
        self.head = head
        self.body = body
        self.timeout = timeout
    }
}

/// The response to one request: its head, and its body as it arrives.
public struct TransportResponse: Sendable {
    /// Status and header fields.
    public var head: HTTPResponse
    /// The body. It can be read once.
    public var body: ResponseBody

    /// A response of these parts.
    public init(_ head: HTTPResponse, body: ResponseBody) {
        self.head = head
        self.body = body
    }
}

/// The body of a response, a part at a time.
public struct ResponseBody: AsyncSequence, Sendable {
    /// Some bytes, never none.
    public typealias Element = Data
    /// The error of a body that is not whole.
    public typealias Failure = TransportError

    /// Reads the body; one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let part: @Sendable () async throws(TransportError) -> Data?

        /// The next bytes; `nil` after the last.
        public mutating func next() async throws(TransportError) -> Data? { try await part() }

        /// The next bytes; `nil` after the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> Data? { try await part() }
    }

    private let part: @Sendable () async throws(TransportError) -> Data?

    /// A body of parts.
    /// - Parameter part: the next bytes; `nil` after the last.
    public init(_ part: @escaping @Sendable () async throws(TransportError) -> Data?) {
        self.part = part
    }

    /// An iterator of this body.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(part: part) }

    /// Reads the whole body.
    /// - Parameter limit: the maximum number of bytes.
    /// - Throws: ``TransportError`` with ``TransportError/Code-swift.enum/tooLarge`` if there are more, and the transport's own.
    public func collect(upTo limit: Int) async throws(TransportError) -> Data {
        var whole = Data()
        var iterator = makeAsyncIterator()
        while let bytes = try await iterator.next() {
            guard whole.count + bytes.count <= limit else {
                throw TransportError(
                    .tooLarge,
                    "The response is longer than \(limit) bytes. Ask for less at once, or raise the limit of the client."
                )
            }
            if whole.isEmpty { whole = bytes } else { whole.append(bytes) }
        }
        return whole
    }
}
