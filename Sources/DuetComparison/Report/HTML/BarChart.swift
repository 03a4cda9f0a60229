/// A chart that shows a measure of all styles of a scenario as horizontal bars. Each bar has a label and a number. The
/// bars of GraphQL are also hatched, because some readers cannot distinguish the colors.
///
/// The lengths of the bars are percentages of the width. The font size is fixed, so that the chart is readable on a
/// phone.
struct BarChart {
    struct Bar {
        let label: String
        var value: Measure
        let isGraphQL: Bool
    }

    let title: String
    let bars: [Bar]

    init(title: String, bars: [Bar]) {
        self.title = title
        self.bars = bars
    }

    /// Creates a chart. The unit is chosen so that the numbers are short.
    init(_ chart: ReportChart, bars: [Bar]) {
        switch chart.unit {
        case .kibibytes: self.init(title: chart.caption + ", KiB", bars: bars)
        case .microseconds where bars.contains { $0.value.greatest >= 10_000 }:
            let scaled = bars.map { bar in
                var bar = bar
                bar.value = bar.value.divided(by: 1000)
                return bar
            }
            self.init(title: chart.caption + ", ms", bars: scaled)
        case .microseconds: self.init(title: chart.caption + ", µs", bars: bars)
        }
    }

    /// The length of the longest bar, in percent of the width. The remaining width is for the number of the bar.
    private static let longest = 45.0
    private static let rowHeight = 44

    /// The chart as an SVG image with a title for screen readers.
    var svg: HTML {
        let greatest = max(bars.map(\.value.greatest).max() ?? 0, .leastNormalMagnitude)
        let rows = bars.enumerated().map { index, bar in
            row(bar, top: index * Self.rowHeight, Self.longest / greatest)
        }
        return """
            <figure><figcaption>\(title)</figcaption>
            <svg height="\(Self.rowHeight * bars.count)" role="img" aria-label="\(summary)">\(rows)</svg></figure>

            """
    }

    private var summary: String {
        title + ": " + bars.map { "\($0.label) \($0.value.readable)" }.joined(separator: "; ")
    }

    /// Returns the label of a bar, and below the label the bar and its number.
    private func row(_ bar: Bar, top: Int, _ scale: Double) -> HTML {
        let length = max(0.5, bar.value.value * scale)
        var row: HTML = """
            <text y="\(top + 14)">\(bar.label)</text>\
            <rect class="\(bar.isGraphQL ? "graphql" : "rest")" y="\(top + 20)" width="\(length)%" height="16"/>
            """
        var right = length
        if case .number(_, let low?, let high?) = bar.value {
            let (from, to) = (low * scale, high * scale)
            right = max(length, to)
            row += """
                <line x1="\(from)%" x2="\(to)%" y1="\(top + 28)" y2="\(top + 28)"/>\
                <line x1="\(from)%" x2="\(from)%" y1="\(top + 24)" y2="\(top + 32)"/>\
                <line x1="\(to)%" x2="\(to)%" y1="\(top + 24)" y2="\(top + 32)"/>
                """
        }
        row += "<text x=\"\(right)%\" dx=\"6\" y=\"\(top + 33)\">\(bar.value.readable)</text>"
        return row
    }

    /// The definitions that all charts use. A page with charts must contain them once.
    static let definitions: HTML = """
        <svg width="0" height="0" aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><rect class="hatch-line" width="3" height="6"/>\
        </pattern></defs></svg>

        """
}

extension Measure {
    fileprivate func divided(by divisor: Double) -> Measure {
        switch self {
        case .count(let count): .number(Double(count) / divisor)
        case .number(let number, let low, let high):
            .number(number / divisor, low: low.map { $0 / divisor }, high: high.map { $0 / divisor })
        }
    }

    fileprivate var value: Double {
        switch self {
        case .count(let count): Double(count)
        case .number(let number, _, _): number
        }
    }

    /// The right end of the bar or of its interval.
    fileprivate var greatest: Double {
        if case .number(let number, _, let high?) = self { max(number, high) } else { value }
    }
}
