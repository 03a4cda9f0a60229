/// The columns of a statement, each once, in the order in which they are first needed.
struct ColumnList {
    private var fields: [Resource.Field] = []
    /// The columns in front of them.
    private let offset: Int

    /// - Parameter offset: how many other columns the statement has in front.
    init(offset: Int = 0) {
        self.offset = offset
    }

    /// The column's position in the result set.
    mutating func position(of field: Resource.Field) -> Int {
        if let index = fields.firstIndex(of: field) { return offset + index }
        fields.append(field)
        return offset + fields.count - 1
    }

    /// `e.emp_no AS employeeNumber, …`; empty without columns.
    var sql: String { Self.sql(fields) }

    /// The columns' labels; empty without columns.
    var labels: String { fields.map(\.name).joined(separator: ", ") }

    static func sql(_ fields: [Resource.Field]) -> String {
        fields.map { "\($0.column) AS \($0.name)" }.joined(separator: ", ")
    }
}
