/// A table of text. The first column contains words, and all other columns contain numbers.
struct TextTable {
    let titles: [String]
    var rows: [[String]] = []

    init(_ titles: [String]) {
        self.titles = titles
    }

    /// The table with aligned columns.
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

    /// The table in Markdown.
    var markdown: String {
        let rule = titles.indices.map { $0 == 0 ? "---" : "---:" }
        return ([titles, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }
}
