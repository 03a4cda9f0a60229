import DuetResourceService
import DuetResultSetJSON
import NIOCore
import Testing

/// REST requests without HTTP: a target such as `books/b1?details=copies`, whose query is not percent-encoded.
struct RESTRequests {
    private let service: ResourceService
    private let style: RESTStyle
    private let operations: [RESTOperation]

    init(_ service: ResourceService) {
        self.service = service
        style = RESTStyle(service)
        operations = service.catalogue.operations
    }

    /// Returns the `Question` of a request, which is the input of the planner.
    func question(_ target: String, method: String = "GET", _ format: RowFormat = .json) throws -> Question {
        let (operation, path, query) = try request(target, method: method)
        return try style.question(operation, path, query, format)
    }

    /// Returns the operation of a request, and the values in its path and its query.
    func request(
        _ target: String, method: String = "GET"
    ) throws -> (operation: RESTOperation, path: RESTStyle.Path, query: RESTStyle.Query) {
        let (operation, segment, query) = try parts(target, method: method)
        return (operation, try style.path(operation, segment), query)
    }

    /// Returns the operation of a request, a function that returns the path segment for comma-separated parameters, and
    /// the parameters of the query.
    func parts(
        _ target: String, method: String = "GET"
    ) throws -> (operation: RESTOperation, segment: (String) -> String, query: RESTStyle.Query) {
        let parts = target.split(separator: "?", maxSplits: 1)
        let query: RESTStyle.Query =
            parts.count < 2
            ? []
            : parts[1].split(separator: "&").map { pair in
                let sides = pair.split(separator: "=", maxSplits: 1)
                return (String(sides[0]), sides.count > 1 ? String(sides[1]) : "")
            }
        let given = parts[0].split(separator: "/").map(String.init)
        let operation = try #require(
            operations.first { operation in
                let names = operation.path.split(separator: "/")
                return operation.method == method && names.count == given.count
                    && zip(names, given).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
            })
        let values = zip(operation.path.split(separator: "/").map(String.init), given)
        let segment = { (parameters: String) in
            let template = parameters.split(separator: ",").map { "{\($0)}" }.joined(separator: ",")
            return values.first { $0.0 == template }?.1 ?? ""
        }
        return (operation, segment, query)
    }
}

extension ResourceService {
    /// Returns the body of the response to a request, and the total number of rows and the next cursor if they exist.
    func restBody(_ target: String) async throws -> String {
        let answer = try await answer(try restQuestion(target))
        let count = answer.totalCount.map { " of \($0)" } ?? ""
        let next = answer.next.map { " next \($0)" } ?? ""
        return String(buffer: answer.body) + count + next
    }

    /// Returns the `Question` of a request; see ``RESTRequests``.
    func restQuestion(_ target: String, method: String = "GET", _ format: RowFormat = .json) throws -> Question {
        try RESTRequests(self).question(target, method: method, format)
    }
}
