import DuetJSON
import Testing

@testable import Comparison

/// What a report opens with, in each form that has sentences.
@Suite("A report opens with its conclusions") struct ReportOpeningTests {
    private let report = ComparisonReport.constructed(
        .constructed(.constructed(.restSparse), .constructed(.graphQL, document: 150)),
        .constructed(named: "shelves", .constructed(.restSparse), .constructed(.graphQL)))

    @Test("in text and Markdown before all tables", arguments: [ReportFormat.table, .markdown])
    func text(format: ReportFormat) {
        let text = format.text(report)
        #expect(
            text.hasPrefix(
                """
                ## Which style is cheaper

                - orders: REST is cheaper here: 30% fewer bytes. It takes 350 bytes instead of 500, because its request is 150 bytes shorter
                """))
        #expect(
            text.contains(
                "\n- shelves: Neither style is cheaper here. Both take 1 request and 350 bytes. Compared: REST"))
        #expect(text.contains("\n\n## Machine and database\n\n- cores: 2\n"))
    }

    @Test("in JSON as a member of each scenario")
    func json() throws {
        let scenarios = try report.jsonValue.member("scenarios").elements()
        let conclusion = try scenarios[0].member("conclusion")
        #expect(
            try conclusion.member("text").string().hasPrefix(
                "REST is cheaper here: 30% fewer bytes. It takes 350 bytes"))
        #expect(conclusion["rest"] == "rest-fields" && conclusion["graphql"] == "graphql")
        #expect(
            conclusion["measures"] == [
                ["name": "requests", "rest": 1, "graphql": 1, "outcome": "equal", "reason": nil],
                [
                    "name": "bytes", "rest": 350, "graphql": 500, "outcome": "rest",
                    "reason": "because its request is 150 bytes shorter",
                ],
            ])
    }

    @Test("in JSON with times as elsewhere: the median and its interval")
    func timed() throws {
        let far = [51_000.0, 51_001, 51_002, 51_003, 51_004]
        let timed = ComparisonReport.constructed(
            .constructed(.constructed(.restSparse, far: far), .constructed(.graphQL, far: [70_000, 71_000])))
        let conclusion = try timed.jsonValue.member("scenarios").elements()[0].member("conclusion")
        let time = try conclusion.member("measures").elements()[2]
        #expect(time["name"] == "timeFrom50ms" && time["outcome"] == "too-few-rounds")
        #expect(time["rest"] == ["median": 51_002.0, "low": 51_000.0, "high": 51_004.0] && time["graphql"] == 70_500.0)
    }
}
