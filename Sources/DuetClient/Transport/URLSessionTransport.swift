import HTTPTypes
import HTTPTypesFoundation
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with `URLSession`. It supports HTTP/1.1, HTTP/2, HTTP/3, connection reuse and the system settings.
///
/// It follows redirects, unless the request forbids it. It stores neither cookies nor responses, because the client has
/// its own caches. On Linux, use it only for tests, because there it cannot limit the size of received but unread data.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    /// Sends the requests for streams of events. Each of them occupies a connection of HTTP/1.1 as long as it lasts,
    /// and must not delay other requests.
    private let streamSession: URLSession
    private let delegate: URLSessionResponseDelegate
    private let streamDelegate: URLSessionResponseDelegate

    /// Creates a transport with a separate session.
    /// - Parameter configure: Changes the configuration, for example to wait for connectivity or to avoid expensive
    ///   networks.
    public init(configure: (URLSessionConfiguration) -> Void = { _ in }) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        // Each request has its own timeout, so the timeout of the session must not be shorter.
        configuration.timeoutIntervalForRequest = 24 * 60 * 60
        configure(configuration)
        delegate = URLSessionResponseDelegate()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        configuration.httpMaximumConnectionsPerHost = 10_000
        streamDelegate = URLSessionResponseDelegate()
        streamSession = URLSession(configuration: configuration, delegate: streamDelegate, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
        streamSession.finishTasksAndInvalidate()
    }

    /// Sends a request and returns as soon as the head of the response arrives.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard !Task.isCancelled else { throw TransportError(.cancelled) }
        guard let scheme = request.head.scheme?.lowercased(), scheme == "http" || scheme == "https",
            var converted = URLRequest(httpRequest: request.head)
        else {
            throw TransportError(.invalidAddress, underlyingError: URLError(.badURL))
        }
        converted.httpBody = request.body
        let task = (request.isStream ? streamSession : session).dataTask(with: converted)
        let channel = ResponseChannel(timeout: request.timeout, owner: self)
        (request.isStream ? streamDelegate : delegate).add(
            channel, for: task, followsRedirects: request.followsRedirects)
        channel.onCancel { task.cancel() }
        task.resume()
        return try await channel.response { $0.hasContentCoding }
    }
}

/// Passes the responses of a session to their channels.
private final class URLSessionResponseDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let channels = Mutex<[Int: (channel: ResponseChannel, followsRedirects: Bool)]>([:])

    func add(_ channel: ResponseChannel, for task: URLSessionTask, followsRedirects: Bool) {
        channels.withLock { $0[task.taskIdentifier] = (channel, followsRedirects) }
    }

    private func channel(for task: URLSessionTask) -> ResponseChannel? {
        channels.withLock { $0[task.taskIdentifier]?.channel }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let follows = channels.withLock { $0[task.taskIdentifier]?.followsRedirects } ?? true
        completionHandler(follows ? request : nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let channel = channel(for: dataTask) else { return completionHandler(.cancel) }
        guard let head = (response as? HTTPURLResponse)?.httpResponse else {
            channel.abandon(TransportError(.invalidResponse))
            return completionHandler(.cancel)
        }
        channel.receive(.head(head)) { completionHandler(.allow) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let channel = channel(for: dataTask) else { return }
        #if canImport(FoundationNetworking)
            // On this platform, a resumed task restarts from the beginning. Therefore the task is not suspended, and
            // the size of received but unread data is not limited.
            channel.receive(.bytes(data)) {}
        #else
            // The channel may resume the task before this method returns. This is correct, because suspensions and
            // resumptions are counted.
            dataTask.suspend()
            channel.receive(.bytes(data)) { dataTask.resume() }
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let channel = channels.withLock { $0.removeValue(forKey: task.taskIdentifier)?.channel }
        channel?.finish(error.map { TransportError(urlSession: $0) })
    }
}
