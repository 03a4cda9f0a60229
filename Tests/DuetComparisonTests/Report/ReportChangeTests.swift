import DuetJSON
import Testing

@testable import DuetComparison

@Suite("Changes since an earlier report") struct ReportChangeTests {
    private func report(
        statements: Int = 1, median: Double = 100, database: String = "a sample", cores: String = "2"
    ) throws -> ComparisonReport {
        let estimate = try #require(Estimate([median - 1, median - 1, median, median + 1, median + 1]))
        let latency = Timing.Latency(p50: estimate, p90: median * 2, p99: nil, p999: nil, count: 100)
        let timing = Timing(
            mode: .sequential, alone: latency, requests: latency,
            underLoad: Timing.UnderLoad(rate: median, latency: latency),
            busy: Timing.Busy(throughput: estimate, serverCPU: nil, clientCPU: estimate, cacheCPU: nil),
            compressed: nil, distances: [])
        var cost = TaskCost()
        cost.statements = statements
        var report = ComparisonReport()
        report.machine = [("date", "2026-01-01"), ("cores", cores)]
        report.database = [("database", database), ("cache", "none")]
        report.scenarios = [
            ComparisonReport.ScenarioReport(
                name: "names", task: "Show a name.", isEqual: true,
                styles: [
                    ComparisonReport.StyleReport(style: .graphQL, cost: cost, requests: [], timings: [timing])
                ])
        ]
        return report
    }

    @Test("Every difference of counts is reported as a change. A difference of times is reported only if it is clear")
    func changes() throws {
        let earlier = try report().jsonValue
        #expect(try report().changes(since: earlier).all.isEmpty)
        // The intervals overlap, or the medians are close.
        for median in [101, 110.0] { #expect(try report(median: median).changes(since: earlier).all.isEmpty) }
        let changes = try report(statements: 2, median: 200).changes(since: earlier)
        #expect(changes.cautions.isEmpty)
        #expect(
            changes.all.map(\.measure) == [
                "statements", "latencyP50", "requestLatencyP50", "throughput", "clientCPU",
            ])
        #expect(changes.all[0].description == "names, graphql: statements 1 → 2 (+100%)")
    }

    @Test("Times from another machine are not compared, and the report says so")
    func machine() throws {
        let changes = try report(statements: 2, median: 200).changes(since: report(cores: "8").jsonValue)
        #expect(changes.all.map(\.measure) == ["statements"])
        #expect(
            changes.cautions == [
                "The earlier report is from another machine (cores 8, now 2), so times are not compared."
            ])
    }

    @Test(
        "Reports of different databases are compared, and every format except CSV states that the databases differ",
        arguments: ReportFormat.allCases)
    func database(format: ReportFormat) throws {
        var now = try report(statements: 2)
        let changes = try now.changes(since: report(database: "<theirs>").jsonValue)
        let caution = "The earlier report describes a different database or cache: database <theirs>, now a sample."
        #expect(changes.all.map(\.measure) == ["statements"] && changes.cautions == [caution])
        now.changes = changes
        let text = format.text(now)
        // CSV contains only values, and therefore no cautions.
        if format != .csv {
            let escaped = caution.replacing("<theirs>", with: "&lt;theirs&gt;")
            #expect(text.contains(format == .html ? escaped : caution) && text.contains("statements"))
        }
    }
}
