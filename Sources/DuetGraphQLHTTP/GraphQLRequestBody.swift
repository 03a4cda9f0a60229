internal import DuetHTTPSemantics
internal import DuetJSON
public import HTTPTypes

/// The body of a POST request.
public enum GraphQLRequestBody: Sendable, Hashable {
    /// One request.
    case single(GraphQLRequest)
    /// Several requests. The response is a list with one response for each request.
    case batch([GraphQLRequest])

    /// Reads a body.
    /// - Parameters:
    ///   - bytes: JSON in UTF-8. A byte order mark is ignored (RFC 8259 §8.1).
    ///   - maximumBatchSize: The maximum number of requests in a list; 0 to reject lists.
    /// - Throws: An error for bytes that are not JSON, for JSON that is not a request, and for a list that is empty or
    ///   too long.
    @inlinable
    public init(_ bytes: some Collection<UInt8>, maximumBatchSize: Int = 0) throws(GraphQLRequestError) {
        // The initializer is inlinable, so that the compiler specializes the copy for the type of the collection. A
        // copy without specialization takes much longer.
        try self.init(utf8: Array(bytes), maximumBatchSize: maximumBatchSize)
    }

    @usableFromInline
    init(utf8 bytes: [UInt8], maximumBatchSize: Int) throws(GraphQLRequestError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes.starts(with: Self.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes)
        } catch {
            throw .malformed(
                bytes.isEmpty
                    ? #"The body is empty. Send JSON, as in {"query": "{ __typename }"}."#
                    : "The body is not JSON: \(error).")
        }
        switch value {
        case .object(let object): self = .single(try GraphQLRequest(object))
        case .array(let items): self = .batch(try Self.batch(items, maximumBatchSize))
        default: throw .malformed("The body must be a JSON object, not \(value.typeName).")
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func batch(
        _ items: [JSONValue], _ maximumSize: Int
    ) throws(GraphQLRequestError) -> [GraphQLRequest] {
        guard maximumSize > 0 else {
            throw .malformed("The body is a list of requests, which is not supported. Send each request separately.")
        }
        guard !items.isEmpty else { throw .malformed("The list of requests is empty.") }
        guard items.count <= maximumSize else {
            throw .malformed(
                "The body has \(items.count) requests, but at most \(maximumSize) are allowed. Send fewer requests at once."
            )
        }
        var requests: [GraphQLRequest] = []
        for (index, item) in items.enumerated() {
            guard case .object(let object) = item else {
                throw .malformed("Request \(index + 1) of the list must be an object, not \(item.typeName).")
            }
            do {
                requests.append(try GraphQLRequest(object))
            } catch {
                throw .malformed("Request \(index + 1) of the list is invalid: \(error.message)")
            }
        }
        return requests
    }
}

// MARK: - Content-Type

extension GraphQLRequestBody {
    /// Rejects a body that is not JSON in UTF-8, according to its `Content-Type` and its `Content-Encoding`.
    ///
    /// This check prevents cross-site request forgery: any web page can send text, forms and multipart bodies without a
    /// CORS preflight request, but not JSON ("Exercise caution" of the GraphQL over HTTP draft).
    /// - Throws: An error with the status 415.
    public static func checkFields(_ fields: HTTPFields) throws(GraphQLRequestError) {
        guard let given = fields.value(of: .contentType), !given.isEmpty else {
            throw .unsupported("The body needs the Content-Type application/json.")
        }
        // Fast path for the fields that nearly all clients send.
        if given == "application/json", fields.value(of: .contentEncoding) == nil { return }
        guard let type = ContentType(given), type.mediaType == "application/json" else {
            throw .unsupported("The body must have the Content-Type application/json, not \(given).")
        }
        if let charset = type.charset, charset != "utf-8", charset != "utf8" {
            throw .unsupported("The body must be in UTF-8, not in \(charset).")
        }
        if let coding = fields.value(of: .contentEncoding), coding.lowercased() != "identity" {
            throw GraphQLRequestError(
                .unsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE",
                "A body with the Content-Encoding \(coding) is not supported. Send the body without a content coding.",
                fields: [.acceptEncoding: "identity"])
        }
    }
}

extension GraphQLRequestError {
    /// Returns an error with the status 415. RFC 9110 §15.5.16 allows `Accept` in the response. `Accept-Post` is the
    /// equivalent for POST (Linked Data Platform §7.1).
    fileprivate static func unsupported(_ message: String) -> GraphQLRequestError {
        var fields: HTTPFields = [.accept: "application/json"]
        if let name = HTTPField.Name("Accept-Post") { fields[name] = "application/json" }
        return GraphQLRequestError(.unsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", message, fields: fields)
    }
}
