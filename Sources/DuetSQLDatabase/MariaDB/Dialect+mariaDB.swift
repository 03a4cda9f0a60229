extension Dialect {
    /// The dialect of MariaDB. The database is on a server.
    ///
    /// - `CROSS JOIN` is a synonym of `JOIN`, whose order the optimizer chooses.
    /// - An alias in a `DELETE` is permitted only in the form for several tables.
    /// - `ORDER BY` compares the indices of `ENUM` and `SET` values, and at most `max_sort_length` bytes of a text.
    public static let mariaDB = Dialect(
        "mariadb", orderedJoin: "STRAIGHT_JOIN", emptyRow: " () VALUES ()", deletesByAlias: true,
        comparesNumbersByType: true, hasZeroDates: true,
        ordersChoicesByIndex: true, ordersLongTexts: false)
}
