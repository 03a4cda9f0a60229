/// A measure of all styles of a scenario, as bars beside each other. Every bar has its number in words, and GraphQL's are hatched, so
/// nothing is told by colour alone.
struct BarChart {
    struct Bar {
        let label: String
        let value: Measure
        let isGraphQL: Bool
    }

    let title: String
    let bars: [Bar]

    private static let width = 800.0
    private static let labelWidth = 330.0
    private static let numberWidth = 190.0
    private static let rowHeight = 22

    /// An image with a title that screen readers say.
    var svg: HTML {
        let greatest = max(bars.map(\.value.greatest).max() ?? 0, .leastNormalMagnitude)
        let scale = (Self.width - Self.labelWidth - Self.numberWidth) / greatest
        let height = Self.rowHeight * bars.count + 6
        let rows = bars.enumerated().map { index, bar in
            row(bar, top: Double(index * Self.rowHeight) + 3, scale)
        }
        return """
            <figure><figcaption>\(title)</figcaption>
            <svg viewBox="0 0 \(Self.width) \(height)" role="img" aria-label="\(summary)">\(rows)</svg></figure>

            """
    }

    private var summary: String {
        title + ": " + bars.map { "\($0.label) \($0.value.readable)" }.joined(separator: "; ")
    }

    private func row(_ bar: Bar, top: Double, _ scale: Double) -> HTML {
        let middle = top + 11
        let end = Self.labelWidth + max(1, bar.value.value * scale)
        var row: HTML = """
            <text x="\(Self.labelWidth - 8)" y="\(middle + 4)" text-anchor="end">\(bar.label)</text>\
            <rect class="\(bar.isGraphQL ? "graphql" : "rest")" x="\(Self.labelWidth)" y="\(top)" width="\(end - Self.labelWidth)" height="16"/>
            """
        var right = end
        if case .number(_, let low?, let high?) = bar.value {
            let (from, to) = (Self.labelWidth + low * scale, Self.labelWidth + high * scale)
            right = max(end, to)
            row += """
                <path class="interval" d="M\(from) \(top + 8)H\(to)M\(from) \(top + 4)v8M\(to) \(top + 4)v8"/>
                """
        }
        row += "<text class=\"number\" x=\"\(right + 6)\" y=\"\(middle + 4)\">\(bar.value.readable)</text>"
        return row
    }

    /// To be once in a page that has charts.
    static let definitions: HTML = """
        <svg width="0" height="0" aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><rect class="hatch-line" width="3" height="6"/>\
        </pattern></defs></svg>

        """
}

extension Measure {
    fileprivate var value: Double {
        switch self {
        case .count(let count): Double(count)
        case .number(let number, _, _): number
        }
    }

    /// The right end of its bar, interval included.
    fileprivate var greatest: Double {
        if case .number(let number, _, let high?) = self { max(number, high) } else { value }
    }
}
