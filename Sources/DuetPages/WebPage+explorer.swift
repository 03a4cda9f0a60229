import CDuetPages

extension WebPage {
    /// The page with an editor for GraphQL queries.
    package static let explorer = WebPage(
        folder: "explorer", address: "/graphql", embedded: CDuetExplorerPage())
}
