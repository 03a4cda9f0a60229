import CDuetPages

extension WebPage {
    /// The page that compares REST and GraphQL side by side with the same tasks. The page that lists the routes has the
    /// same address, so `routes.css`, the style sheet of that page, is one of the files. The server itself creates two
    /// more files: `tasks.json` with the tasks, and `keys.json` with the keys of the resources.
    package static let comparison = WebPage(
        folder: "comparison", address: "/", embedded: CDuetComparisonPage())
}
