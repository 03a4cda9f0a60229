import Foundation

/// A report as one self-contained HTML page.
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
            <p>\(extent) \(agreement)</p>
            \(skipped)\(picture)\(sentences)\(changes)\(report.scenarios.map(section))\(live)\(overview)\(facts)\(method)</main>
            </body>
            </html>

            """
        return page.description
    }

    private var extent: String {
        let styles = report.scenarios.map(\.styles.count).max() ?? 0
        let ways = report.live.map { "a screen, watched in \($0.ways.count.of("way"))." }
        guard !report.scenarios.isEmpty else { return ways?.capitalizedFirst ?? "" }
        let other = ways.map { " Also \($0)" } ?? ""
        return "\(report.scenarios.count.of("task")), requested from one server in up to \(styles.of("style")).\(other)"
    }

    private var agreement: HTML {
        let different = report.differing
        return different.isEmpty
            ? "All styles returned the same results, value by value."
            : "<strong>Not all styles returned the same results: \(different.joined(separator: ", ")).</strong>"
    }

    /// A paragraph for each task that the comparison skipped or left out.
    private var skipped: [HTML] {
        report.failures.map { "<p>Skipped: \($0.description)</p>\n" }
            + report.leftOut.map { "<p>Left out: \($0.description)</p>\n" }
    }

    private var picture: HTML {
        report.scenarios.isEmpty ? "" : Picture(measures: report.keyMeasures, rows: report.conclusions).table
    }

    /// The conclusion of each task.
    private var sentences: [HTML] {
        report.conclusionParts.map { part -> HTML in
            let items = part.conclusions.map {
                Self.item($0.scenario.name, $0.conclusion.headline, $0.conclusion.details)
            }
            return Self.list(part.title, items)
        } + (report.live.map { [Self.list(LiveReport.conclusionTitle, [Self.item($0)])] } ?? [])
    }

    private static func list(_ title: String, _ items: [HTML]) -> HTML {
        "<h2>\(title)</h2>\n<ul class=\"conclusions\">\n\(items)</ul>\n"
    }

    private static func item(_ live: LiveReport) -> HTML {
        item(LiveReport.name, live.headline, live.details)
    }

    private static func item(_ name: String, _ headline: String, _ details: [String]) -> HTML {
        """
        <li><b>\(name)</b> <span><strong>\(headline).</strong> \(details.joined(separator: " "))</span></li>

        """
    }

    private var facts: HTML {
        let rows = (report.machine + report.database).map { name, value -> HTML in "<dt>\(name)</dt><dd>\(value)</dd>" }
        return fold("Machine and database", isPrinted: true, "<dl>\(rows)</dl>\n")
    }

    /// A table with the requests and bytes of each task in four styles.
    private var overview: HTML {
        let styles: [Style] = [.restResources, .restSparse, .graphQL, .graphQLPersisted]
        let titles = styles.map { style -> HTML in "<th scope=\"col\" colspan=\"2\">\(style.title)</th>" }
        let units = styles.map { _ -> HTML in "<th scope=\"col\">requests</th><th scope=\"col\">bytes</th>" }
        let rows = report.scenarios.map { scenario -> HTML in
            let cells = styles.map { style -> HTML in
                guard let cost = scenario.styles.first(where: { $0.style == style })?.cost else {
                    return "<td>–</td><td>–</td>"
                }
                return "<td>\(cost.requests)</td><td>\((cost.up.total + cost.down.total).grouped)</td>"
            }
            return "<tr><th scope=\"row\">\(scenario.name)</th>\(cells)</tr>\n"
        }
        let head: HTML = "<tr><th scope=\"col\" rowspan=\"2\">task</th>\(titles)</tr><tr>\(units)</tr>"
        return fold(
            "Requests and bytes",
            table("Requests, and bytes in both directions including heads, without compression.", head: head, rows))
    }

    /// The changes since an earlier report, if there is one.
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
        let content: HTML =
            list.rows.isEmpty
            ? "<p>Nothing has changed since the earlier report.</p>\n" : table("Since the earlier report", list)
        return fold("Changes", id: "changes", "\(cautions)\(content)")
    }

    private func section(_ scenario: ComparisonReport.ScenarioReport) -> HTML {
        fold(
            scenario.name, id: scenario.name,
            """
            <p>\(scenario.task)\(scenario.difference.map { " <strong>\($0)</strong>" as HTML } ?? "")</p>
            \(charts(of: scenario))<details><summary>All figures</summary>
            \(scenario.tables.map { table($0.title, $0.table) })\(requests(of: scenario))</details>

            """)
    }

    /// The section of the watched screen.
    private var live: HTML {
        guard let live = report.live else { return "" }
        return fold(
            LiveReport.name, id: LiveReport.name,
            """
            <p>\(live.task)\(live.difference.map { " <strong>\($0)</strong>" as HTML } ?? "")</p>
            \(table(live.caption, live.table))
            """)
    }

    /// Returns a collapsible section of the page.
    ///
    /// The element with the id is inside the `details` element, because a browser expands a collapsed section only if a
    /// link refers to an element inside it. A browser does not expand a section that is itself the target of the link.
    /// - Parameter isPrinted: True if the section is printed even if it is collapsed.
    func fold(_ title: String, id: String? = nil, isPrinted: Bool = false, _ content: HTML) -> HTML {
        let content: HTML =
            id.map { "<section id=\"\($0)\" aria-label=\"\(title)\">\n\(content)</section>" } ?? content
        let attribute: HTML = isPrinted ? " class=\"printed\"" : ""
        return """
            <details\(attribute)><summary><h2>\(title)</h2></summary>
            \(content)</details>

            """
    }

    /// The maximum number of requests of a style in the table. A task may have hundreds of similar requests.
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
                title: "Bytes down: heads, and bodies with gzip if the server compresses them",
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

    /// Returns a table in a region that can be scrolled with the keyboard.
    private func table(_ caption: String, head: HTML, _ rows: [HTML]) -> HTML {
        """
        <div class="table" tabindex="0" role="region" aria-label="\(caption)"><table><caption>\(caption)</caption>
        <thead>\(head)</thead><tbody>\(rows)</tbody></table></div>

        """
    }
}

extension ComparisonReport.ScenarioReport {
    fileprivate func bars(_ value: (TaskCost) -> Measure) -> [BarChart.Bar] {
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
