extension Dialect {
    /// The dialect of MariaDB. The database is on a server.
    ///
    /// - `CROSS JOIN` is a synonym of `JOIN`, whose order the optimizer chooses.
    /// - An alias in a `DELETE` is permitted only in the form for several tables.
    /// - `ORDER BY` compares the indices of `ENUM` and `SET` values, and at most `max_sort_length` bytes of a text.
    /// - A lock applies to the whole server, and its name has at most 64 characters. Therefore the name contains a hash
    ///   of the name of the database.
    public static let mariaDB = Dialect(
        "mariadb", title: "MariaDB", commitsDefinitions: true,
        namedLock: NamedLock(
            acquire: { "SELECT GET_LOCK(\(Dialect.lockName($0)), \($1))" },
            release: { "DO RELEASE_LOCK(\(Dialect.lockName($0)))" }),
        orderedJoin: "STRAIGHT_JOIN", emptyRow: " () VALUES ()", deletesByAlias: true,
        upsert: Upsert(
            clause: { _ in "ON DUPLICATE KEY UPDATE" }, newValue: { "VALUES(\($0))" }, greatest: "GREATEST"),
        comparesNumbersByType: true, hasZeroDates: true,
        ordersChoicesByIndex: true, ordersLongTexts: false, hasCharacterSets: true,
        tableNames: """
            SELECT table_name, table_type = 'BASE TABLE' FROM information_schema.tables
            WHERE table_schema = DATABASE()
            """)

    private static func lockName(_ prefix: String) -> String { "CONCAT('\(prefix).', MD5(DATABASE()))" }
}
