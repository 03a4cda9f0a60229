import DuetJSON
import HTTPSemantics
import HTTPTypes
import HummingbirdCore
import NIOCore
import ResourceService
import ResultSetJSON

/// Which media types a body may have.
enum BodyKind {
    case json
    /// JSON Merge Patch (RFC 7396); plain JSON is taken as the same.
    case mergePatch

    fileprivate var mediaTypes: [String] {
        switch self {
        case .json: ["application/json"]
        case .mergePatch: ["application/merge-patch+json", "application/json"]
        }
    }
}

extension Exchange {
    /// Reads the body as JSON.
    /// - Parameter limit: most bytes.
    /// - Throws: ``Problem`` (413, 415) or `JSONError`.
    func body(_ kind: BodyKind, limit: Int) async throws -> JSONValue {
        let given = request.headers.value(of: .contentType) ?? ""
        let mediaType = String(given.prefix { $0 != ";" }.reversed().drop(while: \.isWhitespace).reversed())
            .lowercased()
        guard kind.mediaTypes.contains(mediaType) else {
            throw Problem(
                .unsupportedMediaType,
                given.isEmpty
                    ? "the body needs a Content-Type: \(kind.mediaTypes.joined(separator: ", "))"
                    : "the body is \(kind.mediaTypes.joined(separator: " or ")), not \(mediaType)",
                members: [("allowed", .array(kind.mediaTypes.map { .string($0) }))],
                fields: [.accept: kind.mediaTypes.joined(separator: ", ")])
        }
        if let coding = request.headers.value(of: .contentEncoding), coding.lowercased() != "identity" {
            throw Problem(
                .unsupportedMediaType, "a body with Content-Encoding \(coding) cannot be read",
                fields: [.acceptEncoding: "identity"])
        }
        return try JSONValue(parsing: try await bytes(limit: limit).readableBytesView)
    }

    /// Reads the body, whatever it is.
    /// - Parameter limit: most bytes.
    /// - Throws: ``Problem`` (413).
    func bytes(limit: Int) async throws -> ByteBuffer {
        let tooLarge = Problem(.contentTooLarge, "the body has more than \(limit) bytes")
        if let length = request.headers.value(of: .contentLength).flatMap({ Int($0) }), length > limit {
            throw tooLarge
        }
        do {
            return try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        }
    }

    /// The check of `If-Match` and `If-None-Match` before a resource is changed; `nil` if the request has neither.
    ///
    /// A read of the same address must make its tag with the same hash function. Otherwise each write with `If-Match` is a 412.
    var precondition: WriteRequest.Precondition? {
        guard request.headers.value(of: .ifMatch) != nil || request.headers.value(of: .ifNoneMatch) != nil else {
            return nil
        }
        let (headers, method) = (request.headers, request.method)
        return { current in
            let tag = current.map {
                EntityTag(hashing: $0, as: RowFormat.json.mediaType, with: .collisionResistant)
            }
            guard EntityTagPrecondition.evaluate(headers, method: method, current: tag) == .proceed else {
                throw Problem(
                    .preconditionFailed, "the resource is not as If-Match or If-None-Match say; read it again")
            }
        }
    }
}
