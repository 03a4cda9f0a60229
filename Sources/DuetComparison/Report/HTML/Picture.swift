/// The overview at the start of a report: a table with a row for each task and a column for each measure. Each cell
/// contains a bar and a figure for each style.
///
/// Screen readers read the figures, but not the bars. On a narrow screen, each row is a block; ARIA roles then preserve
/// the structure of the table for screen readers. If a figure is lower by more than the noise, it is bold, and the
/// saving follows in parentheses.
struct Picture {
    let measures: [KeyMeasure]
    let rows: [(scenario: ComparisonReport.ScenarioReport, conclusion: Conclusion)]

    /// A style that a cell contains.
    private enum Bar: String {
        case simpleREST = "simple"
        case rest
        case graphQL = "graphql"

        /// The label before the figure.
        var label: String {
            switch self {
            case .simpleREST: "simple REST"
            case .rest: "REST"
            case .graphQL: "GraphQL"
            }
        }

        var side: Contenders.Side? {
            switch self {
            case .simpleREST: nil
            case .rest: .rest
            case .graphQL: .graphQL
            }
        }
    }

    /// The complete table; empty for a report without tasks.
    var table: HTML {
        guard !rows.isEmpty else { return "" }
        let titles = measures.map { measure -> HTML in "<th scope=\"col\" role=\"columnheader\">\(measure.title)</th>" }
        return """
            <table class="picture" role="table" aria-label="All tasks in both styles">
            <caption>\(legend)</caption>
            <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Task</th>\(titles)</tr></thead>
            <tbody role="rowgroup">
            \(rows.map(row))</tbody></table>

            """
    }

    private var legend: HTML {
        let hasSimple = rows.contains { $0.conclusion.contenders.simpleREST != nil }
        let simple: HTML = "\(swatch(.simpleREST)) simple REST: one request for each resource, as is common. "
        return """
            \(swatch(.rest)) REST and \(swatch(.graphQL)) GraphQL, each at its best. \(hasSimple ? simple : "")\
            Bars compare the styles of one task; a shorter bar is cheaper. A figure is bold if it is lower by more than the noise.
            """
    }

    private func swatch(_ bar: Bar) -> HTML {
        "<svg class=\"swatch\" aria-hidden=\"true\"><rect class=\"\(bar.rawValue)\" width=\"24\" height=\"10\"/></svg>"
    }

    private func row(scenario: ComparisonReport.ScenarioReport, conclusion: Conclusion) -> HTML {
        """
        <tr role="row"><th scope="row" role="rowheader">\
        <a href="#\(scenario.name)">\(scenario.name)</a> <span class="task">\(scenario.task)</span></th>
        \(measures.map { cell($0, conclusion) })</tr>

        """
    }

    private func cell(_ measure: KeyMeasure, _ conclusion: Conclusion) -> HTML {
        let contenders = conclusion.contenders
        let styles: [(Bar, ComparisonReport.StyleReport?)] = [
            (.simpleREST, contenders.simpleREST), (.rest, contenders.rest), (.graphQL, contenders.graphQL),
        ]
        let figures = styles.compactMap { bar, style in
            style.flatMap { measure.figure(of: $0) }.map { (bar: bar, figure: $0) }
        }
        let greatest = max(figures.map(\.figure.value).max() ?? 0, .leastNormalMagnitude)
        let finding = conclusion.findings.first { $0.measure == measure }
        let lines = figures.map { bar, figure in
            line(bar, figure, length: 100 * figure.value / greatest, saving: finding.flatMap { saving($0, of: bar) })
        }
        let content: HTML = lines.isEmpty ? "–" : "\(lines)"
        // A narrow screen does not show the header of the table. Therefore each cell repeats the title.
        return """
            <td role="cell"><span class="measure" aria-hidden="true">\(measure.title)</span>\(content)</td>

            """
    }

    private func saving(_ finding: Finding, of bar: Bar) -> String? {
        bar.side != nil && finding.cheaper == bar.side ? finding.saving : nil
    }

    /// - Parameter length: The length of the bar in percent.
    private func line(_ bar: Bar, _ figure: KeyFigure, length: Double, saving: String?) -> HTML {
        let text: HTML = saving.map { "<strong>\(figure.text)</strong> (\($0))" } ?? "\(figure.text)"
        return """
            <div class="line"><span>\(bar.label)</span> <span class="figure">\(text)</span>\
            <svg aria-hidden="true"><rect class="\(bar.rawValue)" width="\(max(0.5, length))%" height="8"/></svg></div>
            """
    }
}
