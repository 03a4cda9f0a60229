import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Turns a body into the response for one request: entity tag, 304, compression, and the fields every answer has.
struct ResponseBuilder: Sendable {
    private let settings: ServerSettings
    private let encoders: GzipEncoderPool

    init(settings: ServerSettings) {
        self.settings = settings
        encoders = GzipEncoderPool(level: settings.compressionLevel)
    }

    /// Below this, a gzip frame saves nothing worth the time.
    private static let smallestCompressed = 1024

    /// A body that is there as a whole.
    /// - Parameters:
    ///   - cacheControl: for the response; by default as data that is read.
    ///   - timing: closed here, and sent.
    ///   - isTagged: whether it gets an entity tag, and 304 is possible.
    func whole(
        _ body: ByteBuffer, mediaType: String, for request: Request, timing: ServerTiming? = nil,
        status: HTTPResponse.Status = .ok, cacheControl: String? = nil, headers: HTTPFields = [:],
        isTagged: Bool = true
    ) throws -> Response {
        var headers = headers
        let isSafe = request.method == .get || request.method == .head
        let coding =
            body.readableBytes >= Self.smallestCompressed ? ContentCoding.preferred(for: request.headers) : .identity
        let tag = isTagged ? EntityTag(hashing: body) : nil
        if let tag { headers[.eTag] = tag.fieldValue(coding: coding) }
        headers[.cacheControl] = cacheControl ?? (isSafe ? settings.cacheControl : "no-store")
        headers[.vary] = "Accept, Accept-Encoding"
        if isSafe, let tag {
            switch EntityTagPrecondition.evaluate(request.headers, method: request.method, current: tag) {
            case .proceed: break
            case .notModified:
                if var timing {
                    timing.endEncode()
                    headers[.serverTiming] = timing.fieldValue
                }
                return Response(status: .notModified, headers: headers)
            case .failed:
                throw Problem(.preconditionFailed, "the resource is not as If-Match says; read it again")
            }
        }
        headers[.contentType] = mediaType
        var sent = body
        if coding == .gzip {
            sent = try encoders.encode(body)
            headers[.contentEncoding] = "gzip"
        }
        if var timing {
            timing.endEncode()
            headers[.serverTiming] = timing.fieldValue
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: sent))
    }

    /// A body that is made while it is sent. It has no entity tag, for its end is not known when it begins.
    func streamed<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, mediaType: String, for request: Request, timing: ServerTiming
    ) -> Response where Pieces.Element == ByteBuffer {
        var headers: HTTPFields = [
            .contentType: mediaType, .cacheControl: "no-store", .vary: "Accept, Accept-Encoding",
            .serverTiming: timing.fieldValue,
        ]
        guard ContentCoding.preferred(for: request.headers) == .gzip else {
            return Response(
                status: .ok, headers: headers,
                body: ResponseBody { writer in
                    for try await piece in pieces { try await writer.write(piece) }
                    try await writer.finish(nil)
                })
        }
        headers[.contentEncoding] = "gzip"
        let level = settings.compressionLevel
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                let encoder = try GzipEncoder(level: level)
                for try await piece in pieces { try await writer.write(try encoder.write(piece)) }
                try await writer.write(try encoder.finish())
                try await writer.finish(nil)
            })
    }
}
