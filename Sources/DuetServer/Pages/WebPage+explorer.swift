import CDuetPages

extension WebPage {
    /// The page at `/graphql`, with an editor for GraphQL queries.
    package static let explorer = WebPage(folder: "explorer", embedded: CDuetExplorerPage())
}
