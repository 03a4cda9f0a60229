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

    /// How many there are.
    static func counted(_ relation: Relation) -> String {
        "SELECT \(relation.foreignKey), COUNT(*) FROM \(relation.from) WHERE \(condition(relation, []))"
            + " GROUP BY \(relation.foreignKey)"
    }

    /// Those who work in departments, a page for each department, and one more to tell whether there is a next page.
    ///
    /// A page ends where a subquery finds its end in the index, once for each department: numbering all rows would read
    /// everybody.
    static func staffPages(columns: String) -> String {
        """
        SELECT \(list("k.dept_no", columns)) FROM (\
        SELECT d.dept_no, (SELECT b.emp_no FROM dept_emp AS b \
        WHERE b.dept_no = d.dept_no AND b.to_date = :openEnd AND b.emp_no > :after \
        ORDER BY b.emp_no LIMIT 1 OFFSET :first) AS last FROM departments AS d \
        WHERE d.dept_no IN (:departmentNumber)) AS k \
        JOIN dept_emp AS p ON p.dept_no = k.dept_no JOIN employees AS e ON e.emp_no = p.emp_no \
        WHERE p.to_date = :openEnd AND p.emp_no > :after AND p.emp_no <= COALESCE(k.last, 2147483647) \
        ORDER BY k.dept_no, p.emp_no
        """
    }

    private static func condition(_ relation: Relation, _ others: [String]) -> String {
        (["\(relation.foreignKey) IN (:\(relation.key))"] + relation.conditions + others).joined(separator: " AND ")
    }

    /// Parts of a list, without the empty ones.
    private static func list(_ parts: String...) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
