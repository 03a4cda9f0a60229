import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHTTPServer
import DuetResourceService
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Creates the response to a request from the response body. It computes the entity tag, evaluates the preconditions of
/// reads, compresses the body, and sets the header fields that describe the content.
struct ResponseBuilder: Sendable {
    private let settings: ServerSettings
    private let encoders: GzipEncoderPool

    init(settings: ServerSettings) {
        self.settings = settings
        encoders = GzipEncoderPool(level: settings.compressionLevel)
    }

    /// The minimum size in bytes of a body that is compressed. Compressing a smaller body saves too little.
    private static let smallestCompressed = 1024

    /// The number of header fields of most responses, including the fields that are added later.
    private static let usualFields = 14

    /// Leaves the event loop before a large body is hashed and compressed, which takes some milliseconds.
    static func leaveEventLoop(toEncode body: ByteBuffer) async {
        if body.readableBytes > 32 << 10 { await DuetHTTPServer.leaveEventLoop() }
    }

    // MARK: Responses

    /// Returns the 304 for a cached and current validator. It equals the 304 that
    /// ``whole(_:mediaType:for:status:cacheControl:headers:tag:read:)`` returns.
    func notModified(_ known: Revalidator.Validator, for request: Request) -> Response {
        var fields = known.fields
        let coding = Self.coding(for: request, isCompressible: known.isCompressible)
        fields[.eTag] = known.tag.fieldValue(coding: coding)
        return Response(status: .notModified, headers: fields)
    }

    /// Returns the content coding of a representation. The router has already rejected requests that accept no
    /// supported coding.
    private static func coding(for request: Request, isCompressible: Bool) -> ContentCoding {
        ContentCoding.preferred(for: request.headers, savesBytes: isCompressible) ?? .identity
    }

    /// The hash function of the entity tag.
    enum TagHash: Sendable {
        /// A fast hash, for representations that cannot be the target of a write.
        case content
        /// A collision-resistant digest, for representations that can be the target of a write with `If-Match`.
        case digest
    }

    /// Returns the response with a complete body.
    /// - Parameters:
    ///   - cacheControl: The value of `Cache-Control`.
    ///   - hash: The hash function of the entity tag; `nil` for a response without a tag, which is never a 304.
    ///   - read: The conditional read of the request. The function caches the validator of the response there.
    func whole(
        _ body: ByteBuffer, mediaType: String, for routed: RoutedRequest, status: HTTPResponse.Status = .ok,
        cacheControl: String = "no-store", headers: consuming HTTPFields = [:], tag hash: TagHash? = .content,
        read: ConditionalRead? = nil
    ) throws -> Response {
        let request = routed.request
        headers.reserveCapacity(Self.usualFields)
        let isSafe = request.method == .get || request.method == .head
        let isCompressible = body.readableBytes >= Self.smallestCompressed
        let coding = Self.coding(for: request, isCompressible: isCompressible)
        headers[.cacheControl] = cacheControl
        let tag = hash.map { Self.tag(of: body, mediaType, $0).tag(for: routed.caller) }
        if let tag {
            if isSafe {
                read?.keep(Revalidator.Validator(tag: tag, isCompressible: isCompressible, fields: copy headers))
            }
            headers[.eTag] = tag.fieldValue(coding: coding)
            if isSafe, try Self.isNotModified(request, tag) {
                return Response(status: .notModified, headers: headers)
            }
        }
        headers[.contentType] = mediaType
        var sent = body
        if coding == .gzip {
            sent = try encoders.encode(body)
            headers[.contentEncoding] = "gzip"
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: sent))
    }

    /// Returns the response to a read of a stored body. Its entity tag is the hash of the compressed body.
    func stored(
        _ body: CompressedBody, mediaType: String, for routed: RoutedRequest, cacheControl: String
    ) throws -> Response {
        let request = routed.request
        let coding = Self.coding(for: request, isCompressible: true)
        let tag = BodyTag(hashing: body.gzip, as: mediaType).tag(for: routed.caller)
        var headers: HTTPFields = [.cacheControl: cacheControl, .eTag: tag.fieldValue(coding: coding)]
        if try Self.isNotModified(request, tag) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = mediaType
        switch coding {
        case .gzip:
            headers[.contentEncoding] = "gzip"
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body.gzip))
        case .identity:
            return Response(
                status: .ok, headers: headers,
                body: ResponseBody { writer in
                    let decoder = try GzipDecoder(body.gzip)
                    while let piece = try decoder.next() { try await writer.write(piece) }
                    try await writer.finish(nil)
                })
        }
    }

    /// Evaluates the preconditions of a read.
    /// - Returns: True if the response is a 304.
    /// - Throws: ``RequestProblem`` with status 412.
    private static func isNotModified(_ request: Request, _ tag: BodyTag) throws -> Bool {
        switch EntityTagPrecondition.evaluate(request.headers, method: request.method, current: tag) {
        case .proceed: return false
        case .notModified: return true
        case .failed:
            throw RequestProblem(
                .preconditionFailed, "the current state of the resource does not satisfy If-Match; read it again")
        }
    }

    /// Returns the entity tag of a body, without the caller's digest.
    static func tag(of body: ByteBuffer, _ mediaType: String, _ hash: TagHash) -> BodyTag {
        switch hash {
        case .content: BodyTag(hashing: body, as: mediaType)
        case .digest: BodyTag(BodyDigest(of: body))
        }
    }

    /// Returns the response with the events of a live stream. They are not compressed, because a client needs each
    /// event at once.
    func events<Events>(_ pieces: LivePieces<Events>, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = EventStreamWriter.contentType
        headers[.cacheControl] = "no-store"
        headers[.accelBuffering] = "no"
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                // The first bytes show the client that the stream is open.
                try await writer.write(EventStreamWriter.comment)
                for try await piece in pieces { try await writer.write(piece) }
                try await writer.finish(nil)
            })
    }

    /// Returns the response with a streamed body. It has no entity tag, because the content is not known when the
    /// response begins.
    func streamed<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, mediaType: String, for request: Request, headers: HTTPFields = [:]
    ) -> Response where Pieces.Element == ByteBuffer {
        var headers = headers
        headers[.contentType] = mediaType
        headers[.cacheControl] = "no-store"
        // This header field prevents a proxy from buffering the pieces.
        headers[.accelBuffering] = "no"
        guard Self.coding(for: request, isCompressible: true) == .gzip else {
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
