import HTTPTypes
import HTTPTypesFoundation
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with `URLSession`: HTTP/1.1, HTTP/2 and HTTP/3, connections that are used again, and the settings of the system.
///
/// It follows redirects. Neither cookies nor responses are stored: the client has caches of its own. On Linux it is meant for tests
/// only: there it receives bodies faster than they are read.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate: URLSessionResponseDelegate

    /// A transport with a session of its own.
    /// - Parameter configure: Changes the configuration, for instance to wait for a network or to forbid an expensive one.
    public init(configure: (URLSessionConfiguration) -> Void = { _ in }) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        // Each request has a time of its own.
        configuration.timeoutIntervalForRequest = 24 * 60 * 60
        configure(configuration)
        delegate = URLSessionResponseDelegate()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request and returns as soon as the head of the response is there.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard !Task.isCancelled else { throw TransportError(.cancelled) }
        guard let scheme = request.head.scheme?.lowercased(), scheme == "http" || scheme == "https",
            var converted = URLRequest(httpRequest: request.head)
        else {
            throw TransportError(.invalidAddress, underlyingError: URLError(.badURL))
        }
        converted.httpBody = request.body
        let task = session.dataTask(with: converted)
        let channel = ResponseChannel(timeout: request.timeout, owner: self)
        delegate.add(channel, for: task)
        channel.onCancel { task.cancel() }
        task.resume()
        return try await channel.response { $0.hasContentCoding }
    }
}

/// Moves the responses of a session to their channels.
private final class URLSessionResponseDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let channels = Mutex<[Int: ResponseChannel]>([:])

    func add(_ channel: ResponseChannel, for task: URLSessionTask) {
        channels.withLock { $0[task.taskIdentifier] = channel }
    }

    private func channel(for task: URLSessionTask) -> ResponseChannel? {
        channels.withLock { $0[task.taskIdentifier] }
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
            // Here a task that is resumed begins again. So nothing bounds what is received and not read yet.
            channel.receive(.bytes(data)) {}
        #else
            // It may be resumed before this returns: both are counted.
            dataTask.suspend()
            channel.receive(.bytes(data)) { dataTask.resume() }
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let channel = channels.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        channel?.finish(error.map { TransportError(urlSession: $0) })
    }
}
