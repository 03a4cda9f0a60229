import DuetJSON
import Foundation
import Testing

@testable import DuetComparison

/// Tests of the beginning of a report, in the formats that contain sentences.
@Suite("Opening of a report") struct ReportOpeningTests {
    private let report = ComparisonReport.constructed(
        .constructed(.constructed(.restSparse), .constructed(.graphQL, document: 150)),
        .constructed(named: "shelves", .constructed(.restSparse), .constructed(.graphQL)))

    @Test("Text and Markdown reports begin with the conclusions", arguments: [ReportFormat.table, .markdown])
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

    @Test("JSON reports have the conclusion as a member of each scenario")
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

    @Test("A time in a JSON conclusion has a median and an interval. After few rounds, it has only a median")
    func timed() throws {
        let far = [51_000.0, 51_001, 51_002, 51_003, 51_004]
        let timed = ComparisonReport.constructed(
            .constructed(.constructed(.restSparse, far: far), .constructed(.graphQL, far: [70_000, 71_000])))
        let conclusion = try timed.jsonValue.member("scenarios").elements()[0].member("conclusion")
        let time = try conclusion.member("measures").elements()[2]
        #expect(time["name"] == "timeFrom50ms" && time["outcome"] == "too-few-rounds")
        #expect(time["rest"] == ["median": 51_002.0, "low": 51_000.0, "high": 51_004.0] && time["graphql"] == 70_500.0)
    }

    @Test("The HTML report begins with an overview and one sentence for each task. The other parts are collapsed")
    func order() throws {
        let page = ReportFormat.html.text(report)
        let parts = [
            "<h1>", "<table class=\"picture\"", "<a href=\"#orders\">", "<a href=\"#shelves\">",
            "<h2>Which style is cheaper</h2>", "<b>orders</b>", "<b>shelves</b>", "<details><summary><h2>orders</h2>",
            "<section id=\"orders\"", "<h2>Machine and database</h2>", "<section id=\"method\"",
        ]
        let places = try parts.map { try #require(page.firstRange(of: $0), "\($0)").lowerBound }
        #expect(places == places.sorted())
        #expect(page.contains("Show &lt;all&gt; orders.") && !page.contains("<all>"))
        for tag in ["table", "tr", "th", "td", "section", "details", "div", "svg", "ul", "li", "span"] {
            let (starts, ends) = (
                page.ranges(of: "<\(tag)>").count + page.ranges(of: "<\(tag) ").count,
                page.ranges(of: "</\(tag)>").count
            )
            #expect(starts == ends && !page.contains("&lt;/\(tag)"), "\(tag)")
        }
    }

    @Test("The overview highlights only values that are lower by more than the noise")
    func setApart() {
        let noise = [51_000.0, 52_000, 53_000, 54_000, 55_000]
        let timed = ComparisonReport.constructed(
            .constructed(
                .constructed(.restSparse, far: noise),
                .constructed(.graphQL, document: 150, far: noise.map { $0 - 900 }),
                .constructed(.restResources, requests: 3, far: noise)))
        let rows = cells(of: ReportFormat.html.text(timed))
        #expect(
            rows == [
                "Requests: simple REST 3, REST 1, GraphQL 1",
                "Bytes: simple REST 350, REST *350 (30% fewer), GraphQL 500",
                "Time at 50 ms RTT: simple REST 53.0 ms, REST 53.0 ms, GraphQL 52.1 ms",
                "Server's processor time: simple REST 202 µs, REST 202 µs, GraphQL 202 µs",
            ])
    }

    @Test("The overview highlights nothing if the styles return different results")
    func disagreement() {
        let page = ReportFormat.html.text(
            .constructed(
                .constructed(isEqual: false, .constructed(.restSparse), .constructed(.graphQL, document: 150))))
        #expect(cells(of: page) == ["Requests: REST 1, GraphQL 1", "Bytes: REST 350, GraphQL 500"])
        #expect(page.contains("<strong>The styles return different results here.</strong> Their costs"))
    }

    /// Returns the texts of the cells of the overview. Highlighted texts begin with a star.
    private func cells(of page: String) -> [String] {
        page.matches(of: /<td role="cell">(.*?)<\/td>/.dotMatchesNewlines()).map { match in
            let text = match.1.replacing("</span><div", with: "</span>: <div").replacing(
                "</div><div", with: "</div>, <div"
            )
            .replacing("<strong>", with: "*")
            return text.replacing(/<[^>]*>/, with: "").trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
