/// A table of texts, whose cells are wrapped so that the table fits a terminal.
struct WrappedTable {
    /// A column. A column without a width is as wide as its longest cell.
    struct Column {
        let title: String
        /// The share of this column in the width that the other columns leave; nil for a column whose cells are not
        /// wrapped.
        var share: Int?
    }

    let columns: [Column]
    var rows: [[String]] = []

    init(_ columns: [Column]) {
        self.columns = columns
    }

    /// The least width of a column whose cells are wrapped.
    private static let minimumWidth = 12
    private static let gap = "  "

    /// Returns the table with aligned columns.
    /// - Parameter width: The maximum width in characters. The table is wider if its cells cannot be wrapped further.
    func text(width: Int) -> String {
        let widths = widths(width)
        return ([columns.map(\.title)] + rows).map { row in
            let cells = zip(row, zip(columns, widths)).map { cell, column in
                column.0.share == nil ? [cell] : Self.wrapped(cell, column.1)
            }
            return (0..<(cells.map(\.count).max() ?? 0)).map { line in
                var text = ""
                for (cell, width) in zip(cells, widths) {
                    let part = line < cell.count ? cell[line] : ""
                    text += part + String(repeating: " ", count: max(0, width - part.count)) + Self.gap
                }
                return text.trimmingSuffix(while: { $0 == " " }) + "\n"
            }.joined()
        }.joined()
    }

    /// The table in Markdown.
    var markdown: String {
        let titles = columns.map(\.title)
        let cells = rows.map { $0.map { $0.replacing("|", with: "\\|") } }
        return "| \(titles.joined(separator: " | ")) |\n|\(String(repeating: "---|", count: titles.count))\n"
            + cells.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }

    private func widths(_ width: Int) -> [Int] {
        var widths = columns.indices.map { index in
            ([columns[index].title] + rows.map { $0[index] }).map(\.count).max() ?? 0
        }
        let wrapped = columns.indices.filter { columns[$0].share != nil }
        let fixed = columns.indices.filter { columns[$0].share == nil }.reduce(0) { $0 + widths[$1] }
        var available = width - fixed - Self.gap.count * (columns.count - 1)
        var open = wrapped
        // A column that needs less than its share leaves the rest to the other columns.
        while !open.isEmpty {
            let shares = open.reduce(0) { $0 + (columns[$1].share ?? 1) }
            func allotted(_ index: Int) -> Int {
                max(Self.minimumWidth, available * (columns[index].share ?? 1) / max(1, shares))
            }
            guard let index = open.first(where: { widths[$0] <= allotted($0) }) else {
                for index in open { widths[index] = allotted(index) }
                break
            }
            available -= widths[index]
            open.removeAll { $0 == index }
        }
        return widths
    }

    /// Returns the lines of a text. A line that consists of one long word can be longer than the width.
    static func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.isEmpty ? [""] : lines
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
        var end = endIndex
        while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
        return String(self[..<end])
    }
}
