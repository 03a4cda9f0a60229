/// A table of text; the first column is words, the others are numbers.
struct TextTable {
    let titles: [String]
    var rows: [[String]] = []

    init(_ titles: [String]) {
        self.titles = titles
    }

    /// In columns as wide as what they hold.
    var aligned: String {
        let widths = titles.indices.map { column in ([titles] + rows).map { $0[column].count }.max() ?? 0 }
        return ([titles] + rows).map { row in
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + space : space + cell
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    /// As Markdown has tables.
    var markdown: String {
        let rule = titles.indices.map { $0 == 0 ? "---" : "---:" }
        return ([titles, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }
}
