import DuetClient
import Foundation

extension ArticleCode {
    static func endpoints(url: URL) throws -> [GraphQLEndpoint] {
        let automatic = GraphQLEndpoint(url: url)
        let byPost = GraphQLEndpoint(url: url, persistedQueries: PersistedQuerySettings(queryMethod: .post))
        let off = GraphQLEndpoint(url: url, persistedQueries: .off)
        return [automatic, byPost, off]
    }
}
