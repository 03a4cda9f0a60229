import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting

/// The method and the content of a request, in a short form for comparisons.
struct Way: Hashable, CustomStringConvertible {
    let method: HTTPRequest.Method
    let content: GraphQLExchange.Content

    init(_ method: HTTPRequest.Method, _ content: GraphQLExchange.Content) {
        self.method = method
        self.content = content
    }

    var description: String { "\(method) \(content)" }
}

extension GraphQLReply {
    var ways: [Way] { exchanges.map { Way($0.method, $0.content) } }
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension GraphQLEndpoint {
    /// Creates the endpoint of a server.
    convenience init(
        _ server: some HTTPEndpoint, _ settings: PersistedQuerySettings = PersistedQuerySettings(),
        path: String = "/graphql", headerFields: HTTPFields = [:], bodyLimit: Int = 32 << 20,
        transport: any HTTPTransport = AsyncHTTPClientTransport()
    ) throws {
        guard let url = URL(string: server.base + path) else { throw URLError(.badURL) }
        self.init(
            url: url, headerFields: headerFields, persistedQueries: settings, bodyLimit: bodyLimit,
            transport: transport)
    }
}
