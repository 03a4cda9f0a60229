import Foundation

/// A report as one page that needs nothing from elsewhere: it can be sent to a colleague as a file.
struct HTMLReport {
    let report: ComparisonReport

    var text: String {
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>REST and GraphQL, side by side</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            \(BarChart.definitions)<main>
            <h1>REST and GraphQL, side by side</h1>
            <p>\(report.scenarios.count) tasks, each asked of one server in \(report.scenarios.map(\.styles.count).max() ?? 0) styles. \(agreement)</p>
            \(facts)\(overview)\(changes)\(report.scenarios.map(section))\(method)</main>
            </body>
            </html>

            """
        return page.description
    }

    private var agreement: HTML {
        let different = report.scenarios.filter { !$0.isEqual }.map(\.name)
        return different.isEmpty
            ? "All styles came to the same answers, value for value."
            : "<strong>Not all styles came to the same answers: \(different.joined(separator: ", ")).</strong>"
    }

    private var facts: HTML {
        let rows = (report.machine + report.database).map { name, value -> HTML in "<dt>\(name)</dt><dd>\(value)</dd>" }
        return "<dl>\(rows)</dl>\n"
    }

    /// The shortest answer to the question: requests and bytes of each task, as REST is often written, at its best, and by GraphQL.
    private var overview: HTML {
        let styles: [Style] = [.restResources, .restSparse, .graphQL, .graphQLPersisted]
        let head = styles.map { style -> HTML in "<th scope=\"col\" colspan=\"2\">\(style.title)</th>" }
        let units = styles.map { _ -> HTML in "<th scope=\"col\">requests</th><th scope=\"col\">bytes</th>" }
        let rows = report.scenarios.map { scenario -> HTML in
            let cells = styles.map { style -> HTML in
                guard let cost = scenario.styles.first(where: { $0.style == style })?.cost else {
                    return "<td>–</td><td>–</td>"
                }
                return "<td>\(cost.requests)</td><td>\((cost.up.total + cost.down.total).formatted())</td>"
            }
            return "<tr><th scope=\"row\"><a href=\"#\(scenario.name)\">\(scenario.name)</a></th>\(cells)</tr>\n"
        }
        return """
            <h2>In short</h2>
            \(table("Requests, and bytes in both directions with heads, without a coding.", head: "<tr><th scope=\"col\" rowspan=\"2\">task</th>\(head)</tr><tr>\(units)</tr>", rows))
            """
    }

    /// Since an earlier report, if there is one.
    private var changes: HTML {
        guard let changes = report.changes else { return "" }
        let cautions = changes.cautions.map { caution -> HTML in "<p><strong>\(caution)</strong></p>\n" }
        var list = TextTable(["task and style", "measure", "before", "now"])
        list.rows = changes.all.map {
            [
                "\($0.scenario), \($0.style)", $0.measure, Measure.number($0.before).readable,
                Measure.number($0.now).readable,
            ]
        }
        return """
            <section id="changes">
            <h2>Changes</h2>
            \(cautions)\(list.rows.isEmpty ? "<p>Nothing has changed since the earlier report.</p>" : table("Since the earlier report", list))
            </section>

            """
    }

    private func section(_ scenario: ComparisonReport.ScenarioReport) -> HTML {
        """
        <section id="\(scenario.name)">
        <h2>\(scenario.name)</h2>
        <p>\(scenario.task)\(scenario.isEqual ? "" : " <strong>The styles do not agree.</strong>" as HTML)</p>
        \(charts(of: scenario))<details><summary>All figures</summary>
        \(scenario.tables.map { table($0.title, $0.table) })\(requests(of: scenario))</details>
        </section>

        """
    }

    /// Requests of a style that are shown; a task may have hundreds that are like each other.
    private static let shownRequests = 8

    private func requests(of scenario: ComparisonReport.ScenarioReport) -> HTML {
        let section = ReportSection.requests
        var table = TextTable(["style", "request"] + section.columns.map(\.title))
        for style in scenario.styles {
            for request in style.requests.prefix(Self.shownRequests) {
                table.rows.append(
                    [style.style.title, "\(request.method) \(request.target)"]
                        + section.columns.map { $0.value(request)?.readable ?? "–" })
            }
            let left = style.requests.count - Self.shownRequests
            if left > 0 {
                table.rows.append([style.style.title, "and \(left) more"] + section.columns.map { _ in "" })
            }
        }
        return self.table(section.title, table)
    }

    private func charts(of scenario: ComparisonReport.ScenarioReport) -> [HTML] {
        var charts = [
            BarChart(title: "Requests", bars: scenario.bars { .count($0.requests) }),
            BarChart(
                title: "Bytes down: heads, and bodies in gzip where that is worth it",
                bars: scenario.bars { .count($0.down.head + $0.gzippedDown.body) }),
        ]
        for column in ReportSection.timings(distances: scenario.distances).flatMap(\.columns) {
            if let chart = column.chart { charts.append(BarChart(chart, bars: scenario.bars(column))) }
        }
        return charts.filter { !$0.bars.isEmpty }.map(\.svg)
    }

    private func table(_ caption: String, _ table: TextTable) -> HTML {
        func row(_ cells: [String], isHead: Bool) -> HTML {
            let cells = cells.enumerated().map { index, cell -> HTML in
                isHead || index == 0 ? "<th scope=\"\(isHead ? "col" : "row")\">\(cell)</th>" : "<td>\(cell)</td>"
            }
            return "<tr>\(cells)</tr>\n"
        }
        return self.table(caption, head: row(table.titles, isHead: true), table.rows.map { row($0, isHead: false) })
    }

    /// In a region that scrolls where it is too narrow, also for those who have no mouse.
    private func table(_ caption: String, head: HTML, _ rows: [HTML]) -> HTML {
        """
        <div class="table" tabindex="0" role="region" aria-label="\(caption)"><table><caption>\(caption)</caption>
        <thead>\(head)</thead><tbody>\(rows)</tbody></table></div>

        """
    }
}

extension ComparisonReport.ScenarioReport {
    fileprivate func bars(_ value: (Cost) -> Measure) -> [BarChart.Bar] {
        styles.map { BarChart.Bar(label: $0.style.title, value: value($0.cost), isGraphQL: $0.style.isGraphQL) }
    }

    fileprivate func bars(_ column: ReportColumn<Timing>) -> [BarChart.Bar] {
        styles.flatMap { style in
            labelledTimings(of: style).compactMap { label, timing in
                column.value(timing).map {
                    BarChart.Bar(label: label, value: $0, isGraphQL: style.style.isGraphQL)
                }
            }
        }
    }
}
