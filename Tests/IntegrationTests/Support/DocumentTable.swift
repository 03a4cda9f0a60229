import Foundation

/// The tables of a Markdown document.
enum DocumentTable {
    /// A row below the header row of a table.
    struct Row {
        /// The line.
        let text: String
        /// The cells by the names of their columns.
        let cells: [String: String]
    }

    /// Returns the rows of all tables of a document.
    static func rows(of document: String) -> [Row] {
        var rows: [Row] = []
        var columns: [String]?
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                columns = nil
                continue
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            if let columns {
                rows.append(Row(text: String(line), cells: Dictionary(zip(columns, cells)) { first, _ in first }))
            } else {
                columns = cells
            }
        }
        return rows
    }
}
