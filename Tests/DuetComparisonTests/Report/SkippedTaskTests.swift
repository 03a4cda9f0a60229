import DuetJSON
import Testing

@testable import DuetComparison

@Suite("Skipped tasks in a report") struct SkippedTaskTests {
    private let complete = ComparisonReport.constructed(
        .constructed(.constructed(.restSparse), .constructed(.graphQL)))

    /// The report with two skipped tasks.
    private var report: ComparisonReport {
        var report = complete
        report.failures = [
            ComparisonFailure(
                scenario: "list", style: .graphQLPersisted, underlying: UnexpectedAnswer("<nodes> is no list")),
            ComparisonFailure(scenario: "pages", style: nil, underlying: UnexpectedAnswer("no page")),
        ]
        return report
    }

    @Test("Text and Markdown reports name the skipped tasks", arguments: [ReportFormat.table, .markdown])
    func text(format: ReportFormat) {
        let skipped = """

            Skipped: list as GraphQL by hash: <nodes> is no list

            Skipped: pages: no page

            ## Machine and database

            """
        #expect(format.text(report).contains(skipped))
        #expect(!format.text(complete).contains("Skipped"))
        #expect(format.text(report).replacing(skipped, with: "\n## Machine and database\n") == format.text(complete))
    }

    @Test("HTML reports have a paragraph for each skipped task")
    func html() {
        let page = ReportFormat.html.text(report)
        #expect(page.contains("\n<p>Skipped: list as GraphQL by hash: &lt;nodes&gt; is no list</p>\n"))
        #expect(page.contains("\n<p>Skipped: pages: no page</p>\n"))
        #expect(!ReportFormat.html.text(complete).contains("Skipped"))
    }

    @Test("If tasks were skipped, JSON reports have the member `skipped` with these tasks")
    func json() {
        #expect(
            report.jsonValue["skipped"] == [
                ["name": "list", "reason": "GraphQL by hash: <nodes> is no list"],
                ["name": "pages", "reason": "no page"],
            ])
        #expect(complete.jsonValue["skipped"] == nil)
    }

    @Test("If tasks were skipped, CSV reports have a line for each of them, with the reason in an additional column")
    func csv() {
        let lines = ReportFormat.csv.text(report).split(separator: "\n")
        let columns = lines[0].split(separator: ",").count
        #expect(lines[0].hasSuffix(",skipped"))
        #expect(lines[1...2].allSatisfy { $0.hasSuffix(",") })
        #expect(lines[3] == "list,graphql-hash" + String(repeating: ",", count: columns - 2) + "<nodes> is no list")
        #expect(!ReportFormat.csv.text(complete).contains("skipped"))
        #expect(lines[4] == "pages" + String(repeating: ",", count: columns - 1) + "no page")
    }

    @Test("A later report can be compared with a report that has skipped tasks")
    func baseline() throws {
        let changes = try complete.changes(since: report.jsonValue)
        #expect(changes.all.isEmpty && changes.cautions.isEmpty)
    }
}
