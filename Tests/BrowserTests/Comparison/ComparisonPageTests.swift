import DuetJSON
import Testing

/// The page at `/` in a real browser, with the real server.
@Suite("Comparison page", .browserKeepingStatements, .serialized, .timeLimit(.minutes(15)))
enum ComparisonPageTests {}

/// More tests of the content of the page, with a separate browser, so that they run concurrently with the other tests.
@Suite("Content of the comparison page", .browserKeepingStatements, .serialized, .timeLimit(.minutes(15)))
enum ComparisonAnswerTests {}

extension BrowserPage {
    /// Runs both sides with the keyboard, and waits until both sides are done.
    func runBoth() async throws {
        try await press("Enter", .control)
        try await waitForBoth()
    }

    /// Waits until no run is in progress and each side has a result.
    func waitForBoth() async throws {
        try await wait(
            until: """
                document.body.dataset.run === 'idle' \
                && ![...document.querySelectorAll('.side-status')].some((one) => ['idle', 'waiting'].includes(one.dataset.state) \
                && one.id !== 'verdict-status')
                """)
    }

    /// Returns the values of REST and GraphQL in a row of the table of costs.
    func cost(_ measure: String) async throws -> [String] {
        let rows = try await evaluate(
            "[...document.querySelectorAll('#costs tbody tr')].map((row) => [...row.children].map((cell) => cell.innerText))"
        )
        return rows.items.map { $0.items.compactMap(\.string) }.first { $0.first == measure }.map {
            Array($0.dropFirst())
        }
            ?? []
    }

    /// Returns the number of measured runs on each side, which the caption of the table contains.
    func measuredRuns() async throws -> Int? {
        let caption = try await text("#costs caption")
        if caption == "Costs (times: one run)" { return 1 }
        return caption.wholeMatch(of: /Costs \(times: median of (\d+) runs\)/).flatMap { Int($0.1) }
    }

    /// Returns the side of each request for data, in order: `R` for REST, `G` for GraphQL.
    func sidesOfRequests() -> String {
        requests.compactMap { address -> String? in
            let target = address.dropFirst(origin.count)
            if target.hasPrefix("/graphql") { return "G" }
            return ["/employees", "/departments"].contains(where: target.hasPrefix) ? "R" : nil
        }.joined()
    }

    /// Returns the summary line of each exchange of a side.
    func facts(_ side: String) async throws -> [String] {
        try await texts("#\(side)-exchanges .exchange-facts")
    }

    /// Selects an option of a `<select>`.
    func choose(_ value: String, of selector: String) async throws {
        try await evaluate(
            """
            (() => {
              const select = document.querySelector(\(literal(selector)));
              select.value = \(literal(value));
              select.dispatchEvent(new Event('change'));
            })()
            """)
    }
}
