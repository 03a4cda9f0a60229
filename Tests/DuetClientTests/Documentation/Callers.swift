import DuetClient
import Foundation

extension ArticleCode {
    struct Account: Sendable {
        var id: String
        var token: String

        func newToken(replacing refused: String?) async throws -> String? { refused == token ? nil : token }
    }

    static func makeClient(
        _ account: Account, service: URL, folder: URL
    ) -> (caller: CurrentCaller, client: GraphQLClient, proxy: WebServiceProxy) {
        let caller = CurrentCaller(identity: account.id, token: account.token) { _, refused in
            try await account.newToken(replacing: refused)
        }
        let transport = AuthorizingTransport(
            DefaultTransport.makeForWholeResponses(), service: service, caller: caller)

        let endpoint = GraphQLEndpoint(url: service.appending(path: "graphql"), transport: transport)
        let store = GraphQLStore(caller: caller) { identity throws(CacheError) in
            try SQLiteNormalizedCache(in: folder, identity: identity)
        }
        let client = GraphQLClient(transport: endpoint, store: store)

        let cache = ResponseCache(folder: folder.appending(path: "responses"))
        let proxy = WebServiceProxy(
            baseURL: service, transport: CachingTransport(transport, cache: cache), caller: caller)
        return (caller, client, proxy)
    }

    static func logOut(_ caller: CurrentCaller, _ client: GraphQLClient, _ cache: ResponseCache) async throws {
        let former = caller.identity
        caller.change(to: nil)
        try await client.store.removeRecords(ofCaller: former)
        await cache.removeResponses(ofCaller: former)
    }
}
