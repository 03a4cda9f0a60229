import DuetJSON
import DuetResourceService
import HTTPTypes

/// The problem responses of operations by status. Operations share the response of each status except 404.
struct ProblemResponses {
    private let types: [ServiceError.Code]
    /// The positions of the types in `types`, by code.
    private let positions: [ServiceError.Code: [Int]]
    private let shared: [Int: OpenAPIOperation.Response]
    private let other: OpenAPIOperation.Response

    /// Creates the responses.
    /// - Parameter types: All problem types of the server.
    init(_ types: [ServiceError.Code]) {
        self.types = types
        positions = Dictionary(grouping: types.indices) { types[$0] }
        let general = types.grouped(by: \.status).filter { $0.0 != 404 }
        shared = Dictionary(general.map { ($0, Self.response(to: $1)) }, uniquingKeysWith: { first, _ in first })
        other = Self.response(
            "default", "Problem", "Any other problem, such as a method that the path does not support.",
            types.filter { [.unknownPath, .methodNotAllowed, .notImplemented].contains($0) }, headers: ["Allow"])
    }

    /// Returns the operation with two kinds of additional responses: the problems that are possible for the operation,
    /// and the redirection to the canonical path.
    func completed(_ operation: OpenAPIOperation) -> OpenAPIOperation {
        var codes = Set(operation.problems)
        var general: [ServiceError.Code] = [
            .malformedRequest, .unknownParameter, .requestTimeout, .uriTooLong, .headerFieldsTooLarge, .internalError,
            .overloaded,
        ]
        let hasContent = operation.method != "DELETE" || operation.responses.contains { $0.status == "200" }
        if hasContent { general.append(.notAcceptable) }
        if operation.body != nil { general += [.contentTooLarge, .unsupportedMediaType] }
        if operation.method != "GET" || operation.parameters.contains(.ifMatch) { general.append(.preconditionFailed) }
        codes.formUnion(general)
        let possible = codes.flatMap { positions[$0] ?? [] }.sorted().map { types[$0] }
        var responses = operation.responses + [Self.canonicalAddress]
        for (status, types) in possible.grouped(by: \.status).sorted(by: { $0.0 < $1.0 }) {
            guard !responses.contains(where: { $0.status == String(status) }) else { continue }
            // Each resource has a separate problem type for a row that does not exist, so a 404 lists only the types of
            // its operation. For each other status, all operations share one response.
            responses.append(shared[status] ?? Self.response(to: types))
        }
        responses.sort { $0.status < $1.status }
        var operation = operation
        operation.responses = responses + [other]
        return operation
    }

    private static func response(to types: [ServiceError.Code]) -> OpenAPIOperation.Response {
        let status = types[0].httpStatus
        let name =
            status.code == 404
            ? types.map(\.rawValue.joinedWords).joined(separator: "Or") : status.reasonPhrase.joinedWords
        let description =
            types.count == 1
            ? types[0].explanation : types.map { "`\($0.rawValue)`: \($0.explanation)" }.joined(separator: " ")
        return response(
            String(status.code), name, description, types,
            headers: (types.contains { $0.retryAfter != nil } ? ["Retry-After"] : [])
                + (types.contains(.unauthorized) ? ["WWW-Authenticate"] : []))
    }

    private static func response(
        _ status: String, _ name: String, _ description: String, _ types: [ServiceError.Code], headers: [String]
    ) -> OpenAPIOperation.Response {
        let examples = types.map { ($0.rawValue, JSONValue.reference("examples", $0.rawValue)) }
        return OpenAPIOperation.Response(
            status, name, description, headers: headers + ["Cache-Control", "Vary", "X-Request-ID"],
            content: JSONObject([
                "application/problem+json": [
                    "schema": .schema("Problem"), "examples": .object(JSONObject(examples)),
                ]
            ]))
    }

    private static let canonicalAddress = OpenAPIOperation.Response(
        "308", "CanonicalAddress", "The path is another spelling of the path in `Location`.",
        headers: ["Location", "Cache-Control", "X-Request-ID"])
}

extension String {
    /// The words in camel case: `UnknownEmployee` for `unknown-employee`, `URITooLong` for `URI Too Long`.
    fileprivate var joinedWords: String {
        split { $0 == "-" || $0 == " " }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
