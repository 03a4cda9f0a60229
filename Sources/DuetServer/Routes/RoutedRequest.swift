import DuetHTTPSemantics
package import DuetHTTPServer
import DuetJSON
package import DuetResourceService
import DuetResultSetJSON
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A request whose route is known, as the input of a handler.
struct RoutedRequest: Sendable {
    typealias Handler = @Sendable (RoutedRequest) async throws -> Response

    let request: Request
    /// The value of `X-Request-ID`, or a generated identifier. It is part of every log line about the request, and of
    /// every problem.
    let requestID: String
    /// The parameters of the path.
    let path: PathParameters
    /// The caller; nil if the API has no roles, and for a client without an identity.
    let caller: Caller?
    /// The certificate of the client; nil without one.
    let certificate: ClientCertificate?

    /// Returns the request with another caller, which a message of a live connection has identified.
    func identified(as caller: Caller?) -> RoutedRequest {
        RoutedRequest(request: request, requestID: requestID, path: path, caller: caller, certificate: certificate)
    }

    /// Returns the encoded path segment of a parameter, or of several parameters in one segment, such as
    /// `orderId,productId`.
    func segment(_ parameters: String) -> String { path[parameters] ?? "" }

    /// Returns the decoded value of a path parameter (RFC 3986 §6.2.2.2), or the encoded value if it cannot be decoded.
    func parameter(_ name: String) -> String {
        let part = segment(name)
        return part.percentDecoded ?? part
    }

    /// The encoded query; `nil` if the target has no question mark.
    var rawQuery: String? { request.uri.query }

    /// Returns the decoded query parameters in their order.
    func query() throws -> RESTStyle.Query {
        guard let rawQuery else { return [] }
        return try QueryString(rawQuery).parameters.map { ($0.name, $0.value) }
    }

    /// True if the query is `?api`, which requests the page that lists the routes.
    var asksForRoutes: Bool { rawQuery == "api" || rawQuery == "api=" }

    /// Rejects all query parameters.
    func requireNoQuery() throws {
        guard let parameter = try query().first else { return }
        throw RequestProblem(
            .unknownParameter, "this path has no query parameters",
            members: [("parameter", .string(parameter.name)), ("allowed", [])])
    }
}

/// The kind of a body, which determines its valid media types.
enum BodyKind {
    case json
    /// JSON Merge Patch (RFC 7396). Plain JSON has the same meaning.
    case mergePatch
    /// JSON for one row. The path also accepts imports, so the error for any other media type lists their types, too.
    case newRow

    /// The addition to the error for a body that is too large.
    fileprivate var adviceForLargeBodies: String {
        self == .newRow ? "; send the rows as an import (\(ResourceRoutes.importTypes.joined(separator: " or ")))" : ""
    }

    fileprivate var mediaTypes: [String] {
        switch self {
        case .json: ["application/json"]
        case .mergePatch: ["application/merge-patch+json", "application/json"]
        case .newRow: ["application/json"] + ResourceRoutes.importTypes
        }
    }
}

extension RoutedRequest {
    /// Reads the body as JSON.
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    ///   - idempotency: The idempotency key of the request, to whose content the body is added.
    /// - Throws: ``RequestProblem`` (413, 415) or `JSONError`.
    func body(
        _ kind: BodyKind, limit: Int, _ idempotency: inout IdempotencyRequest?
    ) async throws -> JSONValue {
        let given = request.headers.value(of: .contentType) ?? ""
        let mediaType = Self.mediaType(given)
        guard kind.mediaTypes.contains(mediaType) else {
            throw RequestProblem(
                .unsupportedMediaType,
                given.isEmpty
                    ? "the body requires a Content-Type: \(kind.mediaTypes.joined(separator: ", "))"
                    : "the Content-Type of the body must be \(kind.mediaTypes.joined(separator: " or ")), not \(mediaType)",
                members: [("allowed", .array(kind.mediaTypes.map { .string($0) }))],
                fields: [.accept: kind.mediaTypes.joined(separator: ", ")])
        }
        try requireNoContentCoding()
        let bytes = try await bytes(limit: limit, advice: kind.adviceForLargeBodies)
        idempotency?.add(bytes)
        return try JSONValue(parsing: bytes.readableBytesView)
    }

    /// Returns the media type in a value of `Content-Type`, without parameters.
    private static func mediaType(_ value: String) -> String {
        String(value.prefix { $0 != ";" }.reversed().drop(while: \.isWhitespace).reversed()).lowercased()
    }

    /// Rejects a body with a content coding.
    /// - Throws: ``RequestProblem`` (415).
    func requireNoContentCoding() throws {
        guard let coding = request.headers.value(of: .contentEncoding), coding.lowercased() != "identity" else {
            return
        }
        throw RequestProblem(
            .unsupportedMediaType, "the Content-Encoding \(coding) is not supported",
            fields: [.acceptEncoding: "identity"])
    }

    /// Rejects a body whose `Content-Length` exceeds a limit.
    /// - Throws: ``RequestProblem`` (413).
    func requireLength(atMost limit: Int, advice: String = "") throws {
        if let length = request.headers.value(of: .contentLength).flatMap({ Int($0) }), length > limit {
            throw Self.tooLarge(limit, advice)
        }
    }

    /// Returns the problem of a body that is larger than a limit.
    static func tooLarge(_ limit: Int, _ advice: String = "") -> RequestProblem {
        RequestProblem(.contentTooLarge, "the body has more than \(limit) bytes\(advice)")
    }

    /// Rejects a body with related rows whose media type is JSON Merge Patch: a merge patch describes the resulting
    /// document, and not changes of related rows.
    /// - Throws: ``RequestProblem`` with status 415.
    func requirePlainJSON() throws {
        let plain = "application/json"
        guard Self.mediaType(request.headers.value(of: .contentType) ?? "") != plain else { return }
        throw RequestProblem(
            .unsupportedMediaType, "the Content-Type of a body with related rows must be \(plain)",
            members: [("allowed", [.string(plain)])], fields: [.accept: plain])
    }

    /// Reads the body of any media type.
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: ``RequestProblem`` (413).
    func bytes(limit: Int, advice: String = "") async throws -> ByteBuffer {
        try requireLength(atMost: limit, advice: advice)
        do {
            return try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Self.tooLarge(limit, advice)
        }
    }

    /// The precondition from `If-Match` and `If-None-Match`; nil if the request has neither of them.
    var precondition: Precondition? { precondition(in: request.headers) }

    /// Returns the precondition in fields, which can be those of a part of the request.
    func precondition(in fields: HTTPFields) -> Precondition? {
        let required = states(.ifMatch, in: fields, .strong)
        let excluded = states(.ifNoneMatch, in: fields, .weak)
        return required == nil && excluded == nil ? nil : Precondition(required: required, excluded: excluded)
    }

    private func states(
        _ name: HTTPField.Name, in fields: HTTPFields, _ comparison: EntityTagList.Comparison
    ) -> Precondition.States? {
        switch EntityTagList.tags(in: fields, name: name, comparison: comparison) {
        case nil: nil
        case .any: .any
        case .listed(let tags):
            .digests(
                tags.map { tag in
                    let tag = tag.tag(for: caller)
                    return BodyDigest(low: tag.low, high: tag.high)
                })
        }
    }
}

extension BodyTag {
    /// Creates the entity tag of a representation that can be the target of a write with `If-Match`.
    package init(_ digest: BodyDigest) { self.init(low: digest.low, high: digest.high) }
}
