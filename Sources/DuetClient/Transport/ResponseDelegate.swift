#if canImport(AsyncHTTPClient)
    import AsyncHTTPClient
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import Synchronization

    /// Passes a response of AsyncHTTPClient to a channel. The next part is read from the connection when the channel
    /// has room.
    final class ResponseDelegate: HTTPClientResponseDelegate {
        private let channel: ResponseChannel
        /// True for a response without a body, regardless of its header fields (RFC 9112, section 6.3).
        private let hasNoBody: Atomic<Bool>

        init(_ channel: ResponseChannel, method: HTTPRequest.Method) {
            self.channel = channel
            hasNoBody = Atomic(method == .head)
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

        /// Ends the response with an error. The library does not report every error to the delegate, but it fails the
        /// future of the request.
        func finish(_ error: any Error) {
            // NIO reports a missing gzip body as truncated content.
            let isWhole =
                hasNoBody.load(ordering: .relaxed)
                && error as? NIOHTTPDecompression.ExtraDecompressionError == .truncatedData
            channel.finish(isWhole ? nil : TransportError(asyncHTTPClient: error))
        }
    }

    extension HTTPResponse {
        /// - Returns: `nil` for an invalid status code. NIO accepts any number.
        fileprivate init?(_ head: HTTPResponseHead) {
            guard (100...999).contains(head.status.code) else { return nil }
            self.init(status: Status(code: Int(head.status.code), reasonPhrase: head.status.reasonPhrase))
            for header in head.headers {
                guard let name = HTTPField.Name(header.name) else { continue }
                headerFields.append(HTTPField(name: name, value: header.value))
            }
        }
    }
#endif
