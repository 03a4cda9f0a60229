#if canImport(AsyncHTTPClient)
    public import AsyncHTTPClient
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression

    /// Sends requests with AsyncHTTPClient. It supports HTTP/1.1, HTTP/2, connection reuse and gzip.
    ///
    /// The transport follows redirects, unless the request forbids it. It closes its connections after it is released
    /// and the last response is complete.
    public final class AsyncHTTPClientTransport: HTTPTransport {
        private let client: HTTPClient
        /// Sends the requests for streams of events. Each of them occupies a connection of HTTP/1.1 as long as it
        /// lasts, and must not delay other requests.
        private let streamClient: HTTPClient
        private let decodesBodies: Bool

        /// Creates a transport with its own connections, which it shares with no other transport.
        /// - Parameter configure: Changes the configuration, for example to use a proxy or different certificates.
        public init(configure: (inout HTTPClient.Configuration) -> Void = { _ in }) {
            var configuration = HTTPClient.Configuration(
                redirectConfiguration: .follow(max: 10, allowCycles: false),
                // Each request has its own timeout. The timeout for connections is only for a connection attempt for
                // which no request waits anymore.
                timeout: HTTPClient.Configuration.Timeout(connect: .minutes(1)),
                // A list of similar rows is about 100 times as large as its compressed form. A ratio above 200
                // indicates an attack that tries to exhaust memory.
                decompression: .enabled(limit: .ratio(200)))
            // A request fails immediately if there is no network. The app can then show cached data.
            configuration.connectionPool.retryConnectionEstablishment = false
            configure(&configuration)
            decodesBodies = if case .enabled = configuration.decompression { true } else { false }
            client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 10_000
            streamClient = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        }

        deinit {
            client.shutdown { _ in }
            streamClient.shutdown { _ in }
        }

        /// Sends a request and returns as soon as the head of the response arrives.
        public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            guard !Task.isCancelled else { throw TransportError(.cancelled) }
            let converted = try Self.convert(request)
            let channel = ResponseChannel(timeout: request.timeout, owner: self)
            let delegate = ResponseDelegate(
                channel, method: request.head.method, followsRedirects: request.followsRedirects)
            let task = (request.isStream ? streamClient : client).execute(request: converted, delegate: delegate)
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
