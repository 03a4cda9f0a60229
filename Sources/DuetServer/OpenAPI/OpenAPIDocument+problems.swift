import DuetJSON
import DuetResourceService
import HTTPTypes

/// The problem responses of operations by status.
extension OpenAPIDocument {
    /// Returns the operation with two kinds of additional responses: the problems that are possible for the operation,
    /// and the redirection to the canonical path.
    func completed(_ operation: OpenAPIOperation) -> OpenAPIOperation {
        var codes = Set(operation.problems.map(\.rawValue))
        var general: [ProblemType] = [
            .malformedRequest, .unknownParameter, .requestTimeout, .uriTooLong, .headerFieldsTooLarge, .internalError,
            .overloaded,
        ]
        if operation.method != "DELETE" { general.append(.notAcceptable) }
        if operation.body != nil { general += [.contentTooLarge, .unsupportedMediaType] }
        if operation.method != "GET" || operation.parameters.contains(.ifMatch) { general.append(.preconditionFailed) }
        codes.formUnion(general.map(\.code))
        let types = ProblemType.all(of: catalogue)
        var responses = operation.responses + [Self.canonicalAddress]
        for status in Set(types.filter { codes.contains($0.code) }.map(\.status.code)).sorted() {
            guard !responses.contains(where: { $0.status == String(status) }) else { continue }
            let sameStatus = types.filter { $0.status.code == status }
            // Each resource has a separate problem type for a row that does not exist, so a 404 lists only the types of
            // its operation. For each other status, all operations share one response.
            responses.append(
                Self.response(to: status == 404 ? sameStatus.filter { codes.contains($0.code) } : sameStatus))
        }
        responses.sort { $0.status < $1.status }
        var operation = operation
        operation.responses = responses + [Self.problem(types)]
        return operation
    }

    private static func response(to types: [ProblemType]) -> OpenAPIOperation.Response {
        let status = types[0].status
        let name =
            status.code == 404 ? types.map(\.code.joinedWords).joined(separator: "Or") : status.reasonPhrase.joinedWords
        let description =
            types.count == 1
            ? types[0].explanation : types.map { "`\($0.code)`: \($0.explanation)" }.joined(separator: " ")
        return response(
            String(status.code), name, description, types,
            headers: types.contains { $0.retryAfter != nil } ? ["Retry-After"] : [])
    }

    /// Returns the response for any problem that the operation does not list.
    private static func problem(_ types: [ProblemType]) -> OpenAPIOperation.Response {
        response(
            "default", "Problem", "Any other problem, such as a method that the path does not support.",
            types.filter { [.unknownPath, .methodNotAllowed, .notImplemented].contains($0) }, headers: ["Allow"])
    }

    private static func response(
        _ status: String, _ name: String, _ description: String, _ types: [ProblemType], headers: [String]
    ) -> OpenAPIOperation.Response {
        let examples = types.map { ($0.code, JSONValue.reference("examples", $0.code)) }
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

    // MARK: Examples

    /// Returns an example of each type by its code.
    static func problemExamples(_ catalogue: Catalogue) -> JSONObject {
        JSONObject(
            ProblemType.all(of: catalogue).map { type in
                var problem = Problem(type, type.explanation)
                problem.members = exampleMembers(of: type, catalogue)
                return (type.code, ["value": .object(problem.document(requestID: "5f2c1a9e4b7d4c0d"))])
            })
    }

    private static func exampleMembers(of type: ProblemType, _ catalogue: Catalogue) -> [(
        name: String, value: JSONValue
    )] {
        let parameters = (catalogue.operations.first?.parameters ?? []).map {
            JSONValue.string($0)
        }
        let resource = catalogue.resources.first
        switch type {
        case .unknownParameter: return [("parameter", "frist"), ("allowed", .array(parameters))]
        case .repeatedParameter, .invalidParameter: return [("parameter", "first")]
        case .emptyFilter: return [("parameter", "filter.not")]
        case .invalidCursor: return [("parameter", "after")]
        case .methodNotAllowed: return [("allowed", ["GET", "HEAD", "OPTIONS"])]
        case .notAcceptable: return [("allowed", ["application/json", "application/x-ndjson", "text/csv"])]
        case .unsupportedMediaType: return [("allowed", ["application/json"])]
        case .conflict: return resource.map { [("key", .string($0.key.joined(separator: " and ")))] } ?? []
        case .validationFailed:
            guard let field = catalogue.writes.first?.input.first?.field else { return [] }
            return [("errors", [["field": .string(field.name), "message": "is missing"]])]
        default: return []
        }
    }
}

extension String {
    /// The words in camel case: `UnknownEmployee` for `unknown-employee`, `URITooLong` for `URI Too Long`.
    fileprivate var joinedWords: String {
        split { $0 == "-" || $0 == " " }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

extension ProblemType {
    /// The code of the type as a `ServiceError.Code`.
    var serviceCode: ServiceError.Code { ServiceError.Code(rawValue: code) }
}
