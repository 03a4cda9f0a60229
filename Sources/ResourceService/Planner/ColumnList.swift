/// The columns of a statement, each once, in the order in which they are first needed.
struct ColumnList {
    private var columns: [(label: String, expression: String)] = []
    /// The number of columns before them.
    private let offset: Int

    /// - Parameter offset: The number of other columns that the statement has before them.
    init(offset: Int = 0) {
        self.offset = offset
    }

    /// The position of a column in the result set; adds the column if it is new.
    mutating func position(of expression: String, label: String) -> Int {
        if let index = columns.firstIndex(where: { $0.label == label }) { return offset + index }
        columns.append((label, expression))
        return offset + columns.count - 1
    }

    /// `t.emp_no AS employeeNumber, …`; `1` if there is none.
    var sql: String {
        columns.isEmpty && offset == 0
            ? "1" : columns.map { "\($0.expression) AS \(SQLLabel.quoted($0.label))" }.joined(separator: ", ")
    }

    /// The labels; empty without columns.
    var labels: String { columns.map { SQLLabel.quoted($0.label) }.joined(separator: ", ") }
}
