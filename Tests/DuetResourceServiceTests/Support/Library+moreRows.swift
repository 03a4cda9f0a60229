extension Library {
    /// A script that adds authors 1001 to 1250. Each has a mentor and a book. Each book has a subject and a copy.
    static let moreRows: String = {
        func insert(_ table: String, _ row: (Int) -> String) -> String {
            "INSERT INTO \(table) VALUES \((1001...1250).map { "(\(row($0)))" }.joined(separator: ", "));"
        }
        return [
            insert("authors") { "\($0), 'Author \($0)', NULL, \($0 - 1000 > 1 ? $0 - 1 : 1)" },
            insert("books") { "'n\($0)', 'Title \($0)', \($0), NULL, 'EN', \($0), 1" },
            insert("copies") { "'n\($0)', 1, 'N'" }, insert("book_subjects") { "'n\($0)', 2" },
        ].joined(separator: "\n")
    }()
}
