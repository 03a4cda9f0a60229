import DuetComparison
import DuetJSON
import Foundation
import NIOCore
import Testing

extension ComparisonPageTests {
    /// The page and `duet compare` read the same file of tasks. These tests compare the requests that both send.
    @Suite("Tasks of the page and scenarios of duet compare")
    struct Scenarios {
        private static let styles: [Style] = [.restResources, .restComposite, .restSparse, .restAggregates]

        @Test(
            "The page and duet compare send the same REST requests, GraphQL documents and variables"
        )
        func requests() async throws {
            try await withComparison(["task": "names", "fresh": "yes"]) { page in
                let tasks = try await page.evaluate(
                    "import('\(BrowserPage.files)/comparison/tasks.js').then(({ TASKS }) => TASKS)"
                ).items
                #expect(Set(tasks.map { $0["scenario"]?.string }) == Set(try Scenario.all.map(\.name)))
                for task in tasks {
                    let name = task["name"]?.string ?? ""
                    let scenario = try Scenario.named(task["scenario"]?.string ?? "")
                    let before = page.sentRequests.count
                    try await page.choose(name, of: "#task")
                    try await page.runBoth()
                    // Requests that restore the previous state are not part of the task.
                    let sent = page.sentRequests.dropFirst(before).filter { $0.target != task["changes"]?.string }
                    let rest = sent.filter { $0.target != "/graphql" }
                    var sentStyle: Style?
                    for style in Self.styles where scenario.has(style) && sentStyle == nil {
                        let requests = try await scenario.requests(style, to: page.origin)
                        if Self.isRepeated(requests, in: rest) { sentStyle = style }
                    }
                    #expect(sentStyle != nil, "\(name): \(rest)")
                    let graphQL = sent.filter { $0.target == "/graphql" }.map(\.body)
                    let style = sentStyle == .restAggregates ? Style.graphQLAggregates : .graphQL
                    let expected = try await scenario.requests(style, to: page.origin).map(\.body)
                    #expect(Self.isRepeated(expected, in: graphQL), "\(name)")
                    if style == .graphQLAggregates {
                        let status = try await page.text("#verdict-status")
                        #expect(status.hasPrefix("Same data: all "), "\(name): \(status)")
                    }
                    if task["changes"]?.string != nil { #expect(graphQL.count == expected.count, "\(name)") }
                }
            }
        }

        /// Returns true if the sent requests are the requests of a run, repeated one or more times.
        private static func isRepeated<Request: Equatable>(_ run: [Request], in sent: [Request]) -> Bool {
            guard !run.isEmpty, !sent.isEmpty, sent.count.isMultiple(of: run.count) else { return false }
            return sent.indices.allSatisfy { sent[$0] == run[$0 % run.count] }
        }
    }
}

extension BrowserPage {
    /// The requests for data, in the order in which the page sent them.
    fileprivate var sentRequests: [SentRequest] {
        events("Network.requestWillBeSent").compactMap { event in
            guard let request = event["request"], let url = request["url"]?.string, url.hasPrefix(origin),
                let method = request["method"]?.string
            else { return nil }
            let target = String(url.dropFirst(origin.count))
            guard ["/employees", "/departments", "/salaries", "/graphql"].contains(where: target.hasPrefix) else {
                return nil
            }
            return SentRequest(
                method: method, target: target, accept: request["headers"]?["Accept"]?.string ?? "",
                body: request["postData"]?.string.flatMap { try? JSONValue(parsing: $0.utf8) })
        }
    }
}
