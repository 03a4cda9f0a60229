#if canImport(AsyncHTTPClient)
    public import AsyncHTTPClient
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression

    /// Sends requests with AsyncHTTPClient: HTTP/1.1 and HTTP/2, connections that are used again, gzip.
    ///
    /// It follows redirects. Its connections end with it, after the last response.
    public final class AsyncHTTPClientTransport: HTTPTransport {
        private let client: HTTPClient
        private let decodesBodies: Bool

        /// A transport with connections of its own.
        /// - Parameter configure: Changes the configuration, for instance to use a proxy or other certificates.
        public init(configure: (inout HTTPClient.Configuration) -> Void = { _ in }) {
            var configuration = HTTPClient.Configuration(
                redirectConfiguration: .follow(max: 10, allowCycles: false),
                // A request has a time of its own; this only ends attempts that nothing waits for.
                timeout: HTTPClient.Configuration.Timeout(connect: .minutes(1)),
                // Lists of equal rows compress to a hundredth; what expands further is sent to exhaust the memory.
                decompression: .enabled(limit: .ratio(200)))
            // A request without a network fails at once, so that the app can show what it has.
            configuration.connectionPool.retryConnectionEstablishment = false
            configure(&configuration)
            decodesBodies = if case .enabled = configuration.decompression { true } else { false }
            client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        }

        deinit { client.shutdown { _ in } }

        /// Sends a request and returns as soon as the head of the response is there.
        public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            guard !Task.isCancelled else { throw TransportError(.cancelled) }
            let converted = try Self.convert(request)
            let channel = ResponseChannel(timeout: request.timeout, owner: self)
            let delegate = ResponseDelegate(channel, method: request.head.method)
            let task = client.execute(request: converted, delegate: delegate)
            task.futureResult.whenFailure { delegate.finish($0) }
            channel.onCancel { task.cancel() }
            return try await channel.response { [decodesBodies] in decodesBodies && $0.hasContentCoding }
        }

        private static func convert(_ request: TransportRequest) throws(TransportError) -> HTTPClient.Request {
            let head = request.head
            do {
                var headers = HTTPHeaders()
                for field in head.headerFields { headers.add(name: field.name.rawName, value: field.value) }
                return try HTTPClient.Request(
                    url: try head.address(), method: HTTPMethod(rawValue: head.method.rawValue), headers: headers,
                    body: request.body.map { .byteBuffer(ByteBuffer(bytes: $0)) })
            } catch let error as TransportError {
                throw error
            } catch {
                throw TransportError(.invalidAddress, underlyingError: error)
            }
        }
    }
#endif
