import DuetClient
import HTTPTypes
import Synchronization

/// A transport that responds to every operation with the same bytes. The bytes can be an invalid response.
struct ConstantAnswer: GraphQLTransport {
    let body: String
    let status: HTTPResponse.Status
    let headerFields: HTTPFields

    init(_ body: String, status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:]) {
        self.body = body
        self.status = status
        self.headerFields = headerFields
    }

    func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
        GraphQLReply(HTTPResponse(status: status, headerFields: headerFields), body: Array(body.utf8))
    }
}

/// The cache errors that a client reported.
final class Failures: Sendable {
    private let errors = Mutex<[CacheError]>([])
    var codes: [CacheError.Code] { errors.withLock { $0.map(\.code) } }
    func add(_ error: CacheError) { errors.withLock { $0.append(error) } }
}
