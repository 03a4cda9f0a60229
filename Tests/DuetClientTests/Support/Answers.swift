import DuetClient
import HTTPTypes
import Synchronization

/// A transport that responds to each operation with the text that a closure returns.
final class Answers: GraphQLTransport {
    private let cacheControl: Mutex<String>
    private let body: @Sendable (GraphQLRequest) async -> String

    /// - Parameters:
    ///   - cacheControl: The Cache-Control field of each response.
    ///   - body: Returns the body of a response.
    init(cacheControl: String = "max-age=60", _ body: @escaping @Sendable (GraphQLRequest) async -> String) {
        self.cacheControl = Mutex(cacheControl)
        self.body = body
    }

    /// Sets the Cache-Control field of all later responses.
    func set(cacheControl: String) { self.cacheControl.withLock { $0 = cacheControl } }

    func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
        let body = await body(request)
        let fields: HTTPFields = [.cacheControl: cacheControl.withLock { $0 }]
        return GraphQLReply(HTTPResponse(status: .ok, headerFields: fields), body: Array(body.utf8))
    }
}

extension Answers {
    /// The response to ``EmployeeRowQuery``.
    static func employee(_ id: String = "1", lastName: String = "A") -> String {
        #"{"data":{"employee":{"id":"\#(id)","firstName":"Ada","lastName":"\#(lastName)"}}}"#
    }

    /// The response to ``EmployeesQuery`` with the default employee of ``employee(_:lastName:)``.
    static let employees = """
        {"data":{"employees":{"__typename":"EmployeeConnection",\
        "nodes":[{"id":"1","firstName":"Ada","lastName":"A"}],\
        "pageInfo":{"__typename":"PageInfo","hasNextPage":false,"endCursor":null}}}}
        """
}
