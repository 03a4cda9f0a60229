import TestSupport

/// A database schema with unusual names, keys, types or relations, and its rows.
struct OddSchema: Sendable, CustomStringConvertible {
    let name: String
    private let sqlite: String?
    private let mariaDB: String?
    /// True if the responses of both databases must be equal.
    let isSame: Bool

    var description: String { name }

    private init(_ name: String, sqlite: String?, mariaDB: String?, isSame: Bool) {
        (self.name, self.sqlite, self.mariaDB, self.isSame) = (name, sqlite, mariaDB, isSame)
    }

    /// Creates a schema with the same statements for both databases. Texts in MariaDB are compared by bytes, as in
    /// SQLite.
    static func both(_ name: String, _ script: String, isSame: Bool = true) -> OddSchema {
        OddSchema(name, sqlite: script, mariaDB: binary + script, isSame: isSame)
    }

    static func both(_ name: String, sqlite: String, mariaDB: String, isSame: Bool = true) -> OddSchema {
        OddSchema(name, sqlite: sqlite, mariaDB: (isSame ? binary : "") + mariaDB, isSame: isSame)
    }

    static func sqlite(_ name: String, _ script: String) -> OddSchema {
        OddSchema(name, sqlite: script, mariaDB: nil, isSame: false)
    }

    /// Creates a SQLite schema whose foreign keys are hidden in `CHECK` constraints while rows are inserted, so that
    /// SQLite does not enforce them. The foreign keys are restored afterwards.
    static func unenforced(_ name: String, _ script: String) -> OddSchema {
        let hidden = script.replacing(/REFERENCES \w+( \(\w+\))?/) { "CHECK ('\($0.output.0)' <> '')" }
        return .sqlite(
            name,
            hidden + """

                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(replace(sql, 'CHECK (''REF', 'REF'), ''' <> '''')', '');
                PRAGMA writable_schema = RESET;
                """)
    }

    static func mariaDB(_ name: String, _ script: String) -> OddSchema {
        OddSchema(name, sqlite: nil, mariaDB: script, isSame: false)
    }

    private static let binary = "ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;\n"

    func script(_ backend: TestBackend) -> String? {
        switch backend {
        case .sqlite: sqlite
        case .mariaDB: mariaDB
        }
    }

    static let all = types + keys + names + relations + collations
}
