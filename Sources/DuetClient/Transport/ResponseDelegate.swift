#if canImport(AsyncHTTPClient)
    import AsyncHTTPClient
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import Synchronization

    /// Passes a response of AsyncHTTPClient to a channel. The client reads the next part from the connection when the
    /// channel can accept it.
    final class ResponseDelegate: HTTPClientResponseDelegate {
        private let channel: ResponseChannel
        /// True for a response without a body, regardless of its header fields (RFC 9112, section 6.3).
        private let hasNoBody: Atomic<Bool>

        private let followsRedirects: Bool

        init(_ channel: ResponseChannel, method: HTTPRequest.Method, followsRedirects: Bool) {
            self.channel = channel
            self.followsRedirects = followsRedirects
            hasNoBody = Atomic(method == .head)
        }

        /// Called for each response, also for a redirect. If the request must not follow it, it is the response of the
        /// request. Its body is not read. The library does not follow the redirect of a canceled task.
        func didVisitURL(task: HTTPClient.Task<Void>, _: HTTPClient.Request, _ head: HTTPResponseHead) {
            guard !followsRedirects, (300..<400).contains(head.status.code), head.headers.contains(name: "Location"),
                let head = HTTPResponse(head)
            else { return }
            channel.receive(.head(head)) {}
            channel.finish()
            task.cancel()
        }

        func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
            guard let head = HTTPResponse(head) else {
                channel.abandon(TransportError(.invalidResponse))
                return task.eventLoop.makeSucceededVoidFuture()
            }
            if [.noContent, .notModified].contains(head.status) { hasNoBody.store(true, ordering: .relaxed) }
            return receive(.head(head), on: task.eventLoop)
        }

        func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
            receive(.bytes(buffer.withUnsafeReadableBytes { Data($0) }), on: task.eventLoop)
        }

        private func receive(_ element: ResponseChannel.Element, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
            let promise = eventLoop.makePromise(of: Void.self)
            channel.receive(element) { promise.succeed() }
            return promise.futureResult
        }

        func didFinishRequest(task: HTTPClient.Task<Void>) {
            channel.finish()
        }

        /// Ends the response with an error. The library reports some errors only by failing the future of the request,
        /// and not to the delegate.
        func finish(_ error: any Error) {
            // If a response without a body has the content coding gzip, NIO reports truncated content.
            let isWhole =
                hasNoBody.load(ordering: .relaxed)
                && error as? NIOHTTPDecompression.ExtraDecompressionError == .truncatedData
            channel.finish(isWhole ? nil : TransportError(asyncHTTPClient: error))
        }
    }

    extension HTTPResponse {
        /// - Returns: `nil` if the status code is invalid. NIO accepts any number.
        init?(_ head: HTTPResponseHead) {
            guard (100...999).contains(head.status.code) else { return nil }
            self.init(status: Status(code: Int(head.status.code), reasonPhrase: head.status.reasonPhrase))
            for header in head.headers {
                guard let name = HTTPField.Name(header.name) else { continue }
                headerFields.append(HTTPField(name: name, value: header.value))
            }
        }
    }
#endif
