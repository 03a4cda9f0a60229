import SQLDatabase

/// Statements for the rows of a relation, for many rows above at once.
extension Planner {
    /// All of them.
    /// - Parameter conditions: what else must hold.
    static func attached(_ relation: Relation, columns: String, conditions: [String] = []) -> String {
        "SELECT \(list(relation.foreignKey, columns)) FROM \(relation.from)"
            + " WHERE \(condition(relation, conditions)) ORDER BY \(list(relation.foreignKey, relation.order))"
    }

    /// So many of the newest of each row above.
    /// - Parameter limit: the name of the parameter that says how many.
    static func attached(
        _ relation: Relation, columns: ColumnList, newest limit: String, conditions: [String]
    ) -> String {
        let ranked =
            "SELECT \(list("\(relation.foreignKey) AS parent", columns.sql)), ROW_NUMBER() OVER"
            + " (PARTITION BY \(relation.foreignKey) ORDER BY \(relation.order)) AS place FROM \(relation.from)"
            + " WHERE \(condition(relation, conditions))"
        return "SELECT \(list("parent", columns.labels)) FROM (\(ranked)) AS ranked WHERE place <= :\(limit)"
            + " ORDER BY parent, place"
    }

    /// How many work in departments.
    static let staffCount =
        "SELECT p.dept_no, COUNT(*) FROM dept_emp AS p WHERE p.dept_no IN (:departmentNumber) AND p.to_date = :openEnd"
        + " GROUP BY p.dept_no"

    /// Those who work in departments, a page for each department, and one more to tell whether there is a next page.
    ///
    /// Numbering all rows would read everybody. SQLite finds the end of each page in the index, by a subquery, and reads up to
    /// there. MariaDB would not use the index for that; there each department has a part of a `UNION ALL`.
    /// - Returns: the statement, and whether it asks for one department and is repeated for others.
    func staffPages(columns: String) -> (sql: String, isForEachKey: Bool) {
        switch dialect {
        case .sqlite:
            let sql = """
                SELECT \(Self.list("k.dept_no", columns)) FROM (\
                SELECT d.dept_no, (SELECT b.emp_no FROM dept_emp AS b \
                WHERE b.dept_no = d.dept_no AND b.to_date = :openEnd AND b.emp_no > :after \
                ORDER BY b.emp_no LIMIT 1 OFFSET :first) AS last FROM departments AS d \
                WHERE d.dept_no IN (:departmentNumber)) AS k \
                JOIN dept_emp AS p ON p.dept_no = k.dept_no JOIN employees AS e ON e.emp_no = p.emp_no \
                WHERE p.to_date = :openEnd AND p.emp_no > :after AND p.emp_no <= COALESCE(k.last, 2147483647) \
                ORDER BY k.dept_no, p.emp_no
                """
            return (sql, false)
        case .mariaDB:
            let sql = """
                SELECT \(Self.list("p.dept_no", columns)) FROM dept_emp AS p \
                JOIN employees AS e ON e.emp_no = p.emp_no \
                WHERE p.dept_no = :departmentNumber AND p.to_date = :openEnd AND p.emp_no > :after \
                ORDER BY p.emp_no LIMIT :first
                """
            return (sql, true)
        }
    }

    private static func condition(_ relation: Relation, _ others: [String]) -> String {
        (["\(relation.foreignKey) IN (:\(relation.key))"] + relation.conditions + others).joined(separator: " AND ")
    }

    /// Parts of a list, without the empty ones.
    private static func list(_ parts: String...) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
