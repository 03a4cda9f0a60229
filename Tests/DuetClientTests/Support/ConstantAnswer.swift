import DuetClient
import HTTPTypes
import Synchronization

/// Answers every operation with the same bytes, for answers that no correct server gives.
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

/// The errors of a cache that a client has reported.
final class Failures: Sendable {
    private let errors = Mutex<[CacheError]>([])
    var codes: [CacheError.Code] { errors.withLock { $0.map(\.code) } }
    func add(_ error: CacheError) { errors.withLock { $0.append(error) } }
}
