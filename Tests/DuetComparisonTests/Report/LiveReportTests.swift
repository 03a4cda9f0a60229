import DuetJSON
import Testing

@testable import DuetComparison

@Suite("The report of a watched screen") struct LiveReportTests {
    private func way(_ way: LiveWay, requests: Int, down: Int, _ delays: [Int], last: JSONValue = 2) -> LiveReport.Way {
        let start = ContinuousClock.Instant.now
        let changes = delays.indices.map { ShownChanges.Moment(state: .integer(Int64($0 + 1)), time: start) }
        let answers = zip(changes, delays).map {
            ShownChanges.Moment(state: $0.state, time: start.advanced(by: .milliseconds($1)))
        }
        return LiveReport.Way(
            way: way, requests: requests, up: 100, down: down, statements: 3,
            shown: ShownChanges(changes, answers: answers, last: last))
    }

    @Test("If changes arrive later than with polling, the conclusion says so")
    func later() {
        let ways = [
            way(.restPolling, requests: 60, down: 900, [400, 700]),
            way(.restEvents, requests: 1, down: 100, [3000, 4000]),
        ]
        let live = LiveReport(task: "Watch.", duration: .seconds(60), changes: 2, ways: ways)
        #expect(
            live.headline
                == "Waiting for changes is cheaper than polling here: 80% fewer bytes, but changes arrive later")
    }

    private func report(last: JSONValue = 2) -> ComparisonReport {
        var report = ComparisonReport.constructed(.constructed(.constructed(.restSparse), .constructed(.graphQL)))
        report.live = LiveReport(
            task: "Watch <all> orders.", duration: .seconds(60), changes: 2,
            ways: [
                way(.restPollingTag, requests: 60, down: 900, [400, 700]),
                way(.restPatches, requests: 1, down: 100, [20, 30]),
                way(.restEvents, requests: 1, down: 150, [20, 30]),
                way(.graphQLWebSocket, requests: 1, down: 400, [20, 31], last: last),
            ])
        return report
    }

    private let conclusion = """
        live: Waiting for changes is cheaper than polling here: 80% fewer bytes. \
        REST, events with patches: 1 request, 200 bytes, 3 statements and a median delay of 25.0 ms. \
        GraphQL, WebSocket: 1 request, 500 bytes, 3 statements and a median delay of 25.5 ms. \
        REST, polling with tags: 60 requests, 1,000 bytes, 3 statements and a median delay of 550 ms.
        """

    @Test("Text and Markdown reports have a conclusion and a table with a row for each way")
    func text() {
        let text = ReportFormat.markdown.text(report())
        #expect(text.contains("## Which way to watch is cheaper\n\n- \(conclusion)\n"), "\(text)")
        #expect(text.contains("\n## live\n\nWatch <all> orders.\n\n2 changes in 60 seconds:\n\n| way | requests |"))
        #expect(text.contains("| REST, polling with tags | 60 | 100 | 900 | 3 | 550 | 700 | – |\n"))
        #expect(ReportFormat.table.text(report()).contains("- \(conclusion)\n"))
    }

    @Test("JSON reports have the member `live`. A later report can be compared with it")
    func json() throws {
        let value = report().jsonValue
        let live = try value.member("live")
        #expect(live["seconds"] == 60 && live["changes"] == 2 && live["equal"] == true)
        let way = try live.member("ways").elements()[1]
        #expect(way["name"] == "rest-patches" && way["notShown"] == [] && way["equal"] == true)
        #expect(
            way["measures"] == [
                "requests": 1, "bytesUp": 100, "bytesDown": 100, "statements": 3, "delayP50": 25.0,
                "delayMaximum": 30.0,
            ])
        #expect(try report().changes(since: value).all.isEmpty)
    }

    @Test("CSV reports have a line for each way, with its measures in additional columns")
    func csv() {
        var report = report()
        report.failures = [ComparisonFailure(task: "live, GraphQL, events", reason: "ended")]
        let lines = ReportFormat.csv.text(report).split(separator: "\n")
        #expect(
            lines[0].hasSuffix(
                ",live.requests,live.bytesUp,live.bytesDown,live.statements,live.delayP50,live.delayMaximum,skipped"))
        #expect(lines[3].hasPrefix("live,rest-polling-tag,true,,") && lines[3].hasSuffix(",,60,100,900,3,550.0,700.0,"))
        let counts = lines.dropLast().map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
        #expect(lines.count == 8 && Set(counts).count == 1, "\(lines)")
    }

    @Test("The HTML report has the conclusion, the table and the method")
    func html() {
        let page = ReportFormat.html.text(report())
        #expect(page.contains("Also a screen, watched in 4 ways."))
        #expect(
            page.contains("<strong>Waiting for changes is cheaper than polling here: 80% fewer bytes.</strong> REST,"))
        #expect(page.contains("<section id=\"live\"") && page.contains("<p>Watch &lt;all&gt; orders.</p>"))
        #expect(page.contains("<caption>2 changes in 60 seconds</caption>") && page.contains("<li>“live”: "))
        let other = ReportFormat.html.text(
            .constructed(.constructed(.constructed(.restSparse), .constructed(.graphQL))))
        #expect(!other.contains("live"))
        var only = report()
        only.scenarios = []
        let short = ReportFormat.html.text(only)
        #expect(short.contains("<p>A screen, watched in 4 ways.") && !short.contains("class=\"picture\""))
    }

    @Test(
        "If the last answer of a way differs from the state of the database, the report names the way",
        arguments: ReportFormat.allCases)
    func different(format: ReportFormat) {
        let report = report(last: 3)
        #expect(report.differing == ["live"] && self.report().differing.isEmpty)
        let text = format.text(report)
        switch format {
        case .csv: #expect(text.contains("live,graphql-websocket,false,"))
        case .html:
            #expect(text.contains("<strong>Not all styles returned the same results: live.</strong>"))
            #expect(text.contains("<strong>Some ways do not show the last state: GraphQL, WebSocket.</strong>"))
        default: #expect(text.contains("Some ways do not show the last state: GraphQL, WebSocket."))
        }
        #expect(!text.contains("cheaper than polling"))
    }
}
