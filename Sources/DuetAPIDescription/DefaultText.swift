import DuetResourceService

/// The default descriptions of resources, fields and relations.
enum DefaultText {
    static func resource(_ table: String) -> String { "A row of \(table)." }

    static func field(_ column: String) -> String { "The column \(column)." }

    static func relation(to target: String, _ joins: [Relation.Join], _ columns: [Relation.ColumnPair]) -> String {
        guard joins.isEmpty else { return "The \(target) through \(joins.map(\.table).joined(separator: " and "))." }
        let here = columns.map(\.from).joined(separator: ", ")
        let there = columns.map(\.to).joined(separator: ", ")
        return "The \(target) whose \(there) is this row's \(here)."
    }
}
