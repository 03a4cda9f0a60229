import CDuetPages

extension WebPage {
    /// The page at `/`, which compares REST and GraphQL side by side with the same tasks. The page that lists the
    /// routes has the same address, so `routes.css`, the style sheet of that page, is one of the files. The page loads
    /// two more files, which the server creates: `/comparison/tasks.json` with the tasks, and `/comparison/keys.json`
    /// with the keys of the resources.
    package static let comparison = WebPage(folder: "comparison", embedded: CDuetComparisonPage())
}
