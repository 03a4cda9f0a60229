import SeededTesting
import TestSupport

/// A value of a random row.
enum RandomValue: Hashable, Sendable {
    case null
    case integer(Int)
    /// A decimal in hundredths.
    case decimal(Int)
    case double(Double)
    case text(String)
    case date(String)
    case dateTime(String)

    var sql: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .decimal: digits
        case .double(let value): "\(value)"
        case .text(let text), .date(let text), .dateTime(let text): "'\(text.replacing("'", with: "''"))'"
        }
    }

    var json: String {
        switch self {
        case .null: "null"
        case .integer(let value): "\(value)"
        case .decimal: "\"\(digits)\""
        case .double(let value): "\(value)"
        case .text(let text): RawJSON.string(text)
        case .date(let text): "\"\(text)\""
        case .dateTime(let text): "\"\(text.replacing(" ", with: "T"))\""
        }
    }

    private var digits: String {
        guard case .decimal(let value) = self else { return "" }
        let fraction = value.magnitude % 100
        return "\(value < 0 ? "-" : "")\(value.magnitude / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }

    /// The value, with texts in lower case.
    var folded: RandomValue { if case .text(let text) = self { .text(text.asciiLowercased) } else { self } }

    /// Returns a value that is equal under a case-insensitive collation.
    func respelled(_ random: inout SplitMix64) -> RandomValue {
        guard case .text(let text) = self else { return self }
        return .text(Bool.random(using: &random) ? text.asciiUppercased : text.asciiLowercased)
    }

    /// Compares two values in the order of SQL, in which NULL is the smallest value. Returns a negative number if this
    /// value precedes the other value, zero if they are equal, otherwise a positive number.
    func compare(_ other: RandomValue) -> Int {
        func sign<Value: Comparable>(_ left: Value, _ right: Value) -> Int { left < right ? -1 : left == right ? 0 : 1 }
        return switch (self, other) {
        case (.null, .null): 0
        case (.null, _): -1
        case (_, .null): 1
        case (.integer(let left), .integer(let right)), (.decimal(let left), .decimal(let right)): sign(left, right)
        case (.double(let left), .double(let right)): sign(left, right)
        case (.text(let left), .text(let right)), (.date(let left), .date(let right)),
            (.dateTime(let left), .dateTime(let right)):
            left.utf8.elementsEqual(right.utf8) ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        default: 0
        }
    }
}

/// The type of a random column.
enum RandomType: CaseIterable {
    case integer, decimal, double, text, date, dateTime

    var sql: String {
        switch self {
        case .integer: "INTEGER"
        case .decimal: "DECIMAL(8,2)"
        case .double: "DOUBLE"
        case .text: "VARCHAR(20)"
        case .date: "DATE"
        case .dateTime: "DATETIME"
        }
    }

    /// Returns one of a few values, so that values repeat.
    func value(_ random: inout SplitMix64) -> RandomValue {
        let number = Int.random(in: 0..<7, using: &random)
        return switch self {
        case .integer: .integer([0, 1, -1, 7, 100, 2_147_483_647, -2_147_483_648][number])
        case .decimal: .decimal([0, 1, -1, 50, 150, 99_999_999, 100][number])
        case .double: .double([0, 0.1, -0.1, 1e300, 1.5, 2, -1e-300][number])
        case .text: .text(["", "a", "A", "ab", "a b*", "é,/'\"", "漢"][number])
        case .date:
            .date(
                ["0001-01-01", "1970-01-01", "2024-02-29", "2024-03-01", "9999-12-31", "1999-12-31", "2000-01-01"][
                    number])
        case .dateTime:
            .dateTime(
                [
                    "1000-01-01 00:00:00", "1970-01-01 00:00:00", "2024-02-29 23:59:59", "2024-03-01 00:00:00",
                    "9999-12-31 23:59:59", "2000-01-01 12:00:00", "2000-01-01 12:00:01",
                ][number])
        }
    }
}

/// A table with rows.
struct RandomTable {
    struct Column {
        let name: String
        let type: RandomType
        let isNullable: Bool
        /// The value of a new row that has no value for the column; nil if there is none.
        var defaultValue: RandomValue?
    }

    struct Reference {
        let columns: [String]
        let table: String
        let referenced: [String]
        /// The effect of the removal of the referenced row.
        var onDelete = DeleteAction.reject
    }

    enum DeleteAction: String {
        case reject = "NO ACTION"
        case cascade = "CASCADE"
        case setNull = "SET NULL"
    }

    let name: String
    var columns: [Column] = []
    var key: [String] = []
    var references: [Reference] = []
    /// The lists of columns whose values differ in all rows.
    var unique: [[String]] = []
    /// True if the database sets the key of a new row that has none.
    var isAutomatic = false
    var rows: [[String: RandomValue]] = []

    /// Returns the statement that inserts rows, of which there is at least one.
    func insertStatement(for rows: [[String: RandomValue]]) -> String {
        let values = rows.map { row in
            "(\(columns.map { (row[$0.name] ?? .null).sql }.joined(separator: ", ")))"
        }
        return "INSERT INTO \(name) VALUES \(values.joined(separator: ", "))"
    }
}

/// A random schema: tables with keys, references and rows. Equal seeds give equal schemas.
struct RandomSchema {
    var tables: [RandomTable] = []
    /// True if texts that differ only in case are equal.
    private let ignoresCase: Bool

    init(ignoresCase: Bool, _ random: inout SplitMix64) {
        self.ignoresCase = ignoresCase
        let names = ["one", "two", "three", "four"].prefix(Int.random(in: 2...4, using: &random))
        for name in names { tables.append(table("table_\(name)", &random)) }
        if Bool.random(using: &random) { tables.append(link(&random)) }
    }

    /// Returns a join table of two other tables.
    private func link(_ random: inout SplitMix64) -> RandomTable {
        var link = RandomTable(name: "links")
        let sides = ["left", "right"].compactMap { side in tables.randomElement(using: &random).map { (side, $0) } }
        for (side, target) in sides {
            let columns = target.key.indices.map { "\(side)_\($0)" }
            for (name, key) in zip(columns, target.key) {
                let type = target.columns.first { $0.name == key }?.type ?? .integer
                link.columns.append(.init(name: name, type: type, isNullable: false))
            }
            link.key += columns
            link.references.append(.init(columns: columns, table: target.name, referenced: target.key))
        }
        var known: Set<[String: RandomValue]> = []
        for _ in 0..<12 {
            var row: [String: RandomValue] = [:]
            for ((_, target), reference) in zip(sides, link.references) {
                guard let other = target.rows.randomElement(using: &random) else { return link }
                for (name, key) in zip(reference.columns, target.key) { row[name] = respelled(other[key], &random) }
            }
            if known.insert(row.mapValues { folded($0) }).inserted { link.rows.append(row) }
        }
        return link
    }

    private func table(_ name: String, _ random: inout SplitMix64) -> RandomTable {
        var table = RandomTable(name: name)
        for number in 0..<Int.random(in: 1...2, using: &random) {
            // A double is not a suitable key.
            let type = RandomType.allCases.filter { $0 != .double }.randomElement(using: &random) ?? .integer
            table.columns.append(.init(name: "key_\(number)", type: type, isNullable: false))
            table.key.append("key_\(number)")
        }
        for number in 0..<Int.random(in: 1...4, using: &random) {
            let type = RandomType.allCases.randomElement(using: &random) ?? .text
            table.columns.append(.init(name: "value_\(number)", type: type, isNullable: Bool.random(using: &random)))
        }
        var known: Set<[RandomValue]> = []
        for _ in 0..<Int.random(in: 0...14, using: &random) {
            var row: [String: RandomValue] = [:]
            for column in table.columns {
                row[column.name] =
                    column.isNullable && Int.random(in: 0..<3, using: &random) == 0 ? .null : column.type.value(&random)
            }
            if known.insert(table.key.map { folded(row[$0]) }).inserted { table.rows.append(row) }
        }
        for number in 0..<Int.random(in: 0...2, using: &random) {
            guard let target = (tables + [table]).randomElement(using: &random) else { continue }
            let columns = target.key.indices.map { "to_\(number)_\($0)" }
            for (name, key) in zip(columns, target.key) {
                let type = target.columns.first { $0.name == key }?.type ?? .integer
                table.columns.append(.init(name: name, type: type, isNullable: true))
            }
            for index in table.rows.indices {
                let referenced =
                    Int.random(in: 0..<4, using: &random) == 0 ? nil : target.rows.randomElement(using: &random)
                for (column, key) in zip(columns, target.key) {
                    // SQLite rejects a row that refers to itself if the case of the text differs.
                    let isSelf = target.name == name
                    let value = referenced?[key] ?? .null
                    table.rows[index][column] = isSelf ? value : respelled(value, &random)
                }
            }
            table.references.append(.init(columns: columns, table: target.name, referenced: target.key))
        }
        return table
    }

    /// Compares values as the collation does. Returns a negative number, zero or a positive number.
    func compare(_ left: RandomValue, _ right: RandomValue) -> Int {
        ignoresCase ? left.folded.compare(right.folded) : left.compare(right)
    }

    private func folded(_ value: RandomValue?) -> RandomValue { (ignoresCase ? value?.folded : value) ?? .null }

    private func respelled(_ value: RandomValue?, _ random: inout SplitMix64) -> RandomValue {
        (ignoresCase ? value?.respelled(&random) : value) ?? .null
    }

    /// Returns the schema with only those rows that satisfy a predicate.
    func keeping(_ isKept: (_ row: [String: RandomValue], _ table: String) -> Bool) -> RandomSchema {
        var copy = self
        for index in copy.tables.indices {
            let name = copy.tables[index].name
            copy.tables[index].rows.removeAll { !isKept($0, name) }
        }
        return copy
    }

    /// Changes the rows of a table.
    mutating func change(_ name: String, _ change: (inout [[String: RandomValue]]) -> Void) {
        guard let index = tables.firstIndex(where: { $0.name == name }) else { return }
        change(&tables[index].rows)
    }

    func table(_ name: String) -> RandomTable? { tables.first { $0.name == name } }

    /// Returns the statements for the schema and its rows.
    /// - Parameter enforcesReferences: False for tables without foreign keys.
    func script(_ backend: TestBackend, enforcesReferences: Bool = true) -> String {
        let collation = ignoresCase ? "utf8mb4_general_nopad_ci" : "utf8mb4_nopad_bin"
        var script = backend == .mariaDB ? "ALTER DATABASE CHARACTER SET utf8mb4 COLLATE \(collation);\n" : ""
        for table in tables {
            script += "\(definition(of: table, backend, enforcesReferences: enforcesReferences));\n"
            guard !table.rows.isEmpty else { continue }
            let isSelf = table.references.contains { $0.table == table.name }
            if isSelf {
                // A row may refer to a later row of its table. Therefore the references are set after all inserts.
                let own = Set(table.references.filter { $0.table == table.name }.flatMap(\.columns))
                for row in table.rows {
                    let values = table.columns.map { own.contains($0.name) ? "NULL" : (row[$0.name] ?? .null).sql }
                    script += "INSERT INTO \(table.name) VALUES (\(values.joined(separator: ", ")));\n"
                }
                for row in table.rows {
                    let set = table.columns.filter { own.contains($0.name) }.map {
                        "\($0.name) = \((row[$0.name] ?? .null).sql)"
                    }
                    let key = table.key.map { "\($0) = \((row[$0] ?? .null).sql)" }
                    script +=
                        "UPDATE \(table.name) SET \(set.joined(separator: ", ")) WHERE \(key.joined(separator: " AND "));\n"
                }
            } else {
                script += "\(table.insertStatement(for: table.rows));\n"
            }
        }
        return script
    }

    /// Returns the statements for the schema and its rows, which can refer to missing rows. The foreign keys apply to
    /// later changes.
    func scriptWithMissingRows(_ backend: TestBackend) -> String {
        switch backend {
        case .mariaDB: return "SET foreign_key_checks = 0;\n\(script(backend))SET foreign_key_checks = 1;\n"
        case .sqlite:
            var script = script(backend, enforcesReferences: false) + "PRAGMA writable_schema = ON;\n"
            for table in tables {
                let definition = definition(of: table, backend).replacing("'", with: "''")
                script += "UPDATE sqlite_schema SET sql = '\(definition)' WHERE name = '\(table.name)';\n"
            }
            // The last statements notify the other connections of the change.
            return script + "PRAGMA writable_schema = RESET;\nCREATE TABLE unused (id INTEGER);\nDROP TABLE unused;\n"
        }
    }

    /// Returns the statement that creates a table.
    private func definition(
        of table: RandomTable, _ backend: TestBackend, enforcesReferences: Bool = true
    ) -> String {
        let texts = backend == .sqlite && ignoresCase ? " COLLATE NOCASE" : ""
        let automatic = backend == .mariaDB && table.isAutomatic ? table.key : []
        let columns = table.columns.map { column in
            "\(column.name) \(column.type.sql)\(column.type == .text ? texts : "")"
                + (column.isNullable ? "" : " NOT NULL")
                + (column.defaultValue.map { " DEFAULT \($0.sql)" } ?? "")
                + (automatic.contains(column.name) ? " AUTO_INCREMENT" : "")
        }
        let references = table.references.map {
            "FOREIGN KEY (\($0.columns.joined(separator: ", "))) REFERENCES \($0.table) (\($0.referenced.joined(separator: ", ")))"
                + ($0.onDelete == .reject ? "" : " ON DELETE \($0.onDelete.rawValue)")
        }
        let parts =
            columns + ["PRIMARY KEY (\(table.key.joined(separator: ", ")))"]
            + table.unique.map { "UNIQUE (\($0.joined(separator: ", ")))" } + (enforcesReferences ? references : [])
        return "CREATE TABLE \(table.name) (\(parts.joined(separator: ", ")))"
    }
}

/// SQLite's NOCASE applies only to ASCII letters.
extension String {
    fileprivate var asciiLowercased: String { map { $0.isASCII ? $0.lowercased() : String($0) }.joined() }
    fileprivate var asciiUppercased: String { map { $0.isASCII ? $0.uppercased() : String($0) }.joined() }
}
