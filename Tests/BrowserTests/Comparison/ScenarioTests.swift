import Comparison
import DuetJSON
import Foundation
import NIOCore
import Testing

extension ComparisonPageTests {
    /// The page's tasks are those of `duet compare`, which the server cannot import: what both send is held against each other here.
    @Suite("The tasks of the page and the scenarios of duet compare")
    struct Scenarios {
        private static let styles: [Style] = [.restResources, .restComposite, .restSparse]

        /// The page's tasks, as its module has them.
        private func tasks(_ page: BrowserPage) async throws -> [JSONValue] {
            try await page.evaluate("import('/comparison/tasks.js').then(({ TASKS }) => TASKS)").items
        }

        @Test("Are the same, in the same words")
        func same() async throws {
            try await withComparison { page in
                let tasks = try await tasks(page)
                let names = tasks.map { ($0["scenario"] ?? $0["name"])?.string }
                #expect(Set(names) == Set(Scenario.all.map(\.name)))
                // A scenario that is there twice is asked in another style.
                #expect(tasks.count == Set(tasks.map { $0["name"] }).count)
                for scenario in Scenario.all {
                    let task = try #require(tasks.first { $0["name"]?.string == scenario.name })
                    #expect(task["task"]?.string == scenario.task)
                    #expect((task["changes"] != nil) == scenario.writes)
                }
            }
        }

        @Test("Ask the same: REST as one of its styles does, GraphQL by the same documents and variables")
        func requests() async throws {
            try await withComparison(["task": "names", "fresh": "yes"]) { page in
                for task in try await tasks(page) {
                    let name = task["name"]?.string ?? ""
                    let scenario = try #require(
                        Scenario.all.first { $0.name == (task["scenario"] ?? task["name"])?.string })
                    let before = page.sentRequests.count
                    try await page.choose(name, of: "#task")
                    try await page.runBoth()
                    // What is read and written to leave things as they were is no part of the task.
                    let sent = page.sentRequests.dropFirst(before).filter { $0.target != task["changes"]?.string }
                    var styles: [[SentRequest]] = []
                    for style in Self.styles { styles.append(try await scenario.requests(style, to: page.origin)) }
                    let rest = sent.filter { $0.target != "/graphql" }
                    #expect(styles.contains(rest), "\(name): \(rest)")
                    let graphQL = sent.filter { $0.target == "/graphql" }.map(\.body)
                    #expect(graphQL == (try await scenario.requests(.graphQL, to: page.origin).map(\.body)), "\(name)")
                }
            }
        }
    }
}

extension BrowserPage {
    /// The requests for data, in the order in which they were sent.
    fileprivate var sentRequests: [SentRequest] {
        events("Network.requestWillBeSent").compactMap { event in
            guard let request = event["request"], let url = request["url"]?.string, url.hasPrefix(origin),
                let method = request["method"]?.string
            else { return nil }
            let target = String(url.dropFirst(origin.count))
            guard ["/employees", "/departments", "/graphql"].contains(where: target.hasPrefix) else { return nil }
            return SentRequest(
                method: method, target: target, accept: request["headers"]?["Accept"]?.string ?? "",
                body: request["postData"]?.string.flatMap { try? JSONValue(parsing: $0.utf8) })
        }
    }
}
