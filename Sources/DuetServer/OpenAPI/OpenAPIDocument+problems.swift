import DuetJSON
import DuetResourceService

/// The examples of problems.
extension OpenAPIDocument {
    /// Returns an example of each type by its code.
    static func problemExamples(_ catalogue: Catalogue) -> JSONObject {
        JSONObject(
            ServiceError.Code.all(of: catalogue).map { type in
                var problem = RequestProblem(type, type.explanation)
                problem.members = exampleMembers(of: type, catalogue)
                return (type.rawValue, ["value": .object(problem.document(requestID: "5f2c1a9e4b7d4c0d"))])
            })
    }

    private static func exampleMembers(of type: ServiceError.Code, _ catalogue: Catalogue) -> [(
        name: String, value: JSONValue
    )] {
        let resource = catalogue.resources.first
        switch type {
        case .unknownParameter:
            let parameters = catalogue.operations.first?.parameters ?? []
            return [("parameter", "frist"), ("allowed", .array(parameters.map { .string($0) }))]
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
