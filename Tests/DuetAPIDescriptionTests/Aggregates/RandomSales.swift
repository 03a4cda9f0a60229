import DuetJSON
import Foundation
import SeededTesting
import TestSupport

/// A value of a random sale, with exact numbers.
enum SaleValue: Hashable, Sendable {
    case null
    /// A number in units of the last digit after the decimal point.
    case number(Int128, scale: Int)
    case double(Double)
    case boolean(Bool)
    /// A text, a date, a time or an enumeration.
    case text(String)

    /// The order of SQL, in which NULL is the smallest value. Both values have the same type.
    func precedes(_ other: SaleValue) -> Bool {
        switch (self, other) {
        case (.null, .null): return false
        case (.null, _): return true
        case (_, .null): return false
        case (.number(let left, let scale), .number(let right, let otherScale)):
            let digits = max(scale, otherScale)
            return left * Self.power(digits - scale) < right * Self.power(digits - otherScale)
        case (.double(let left), .double(let right)): return left < right
        case (.boolean(let left), .boolean(let right)): return !left && right
        case (.text(let left), .text(let right)): return left.utf8.lexicographicallyPrecedes(right.utf8)
        default: return false
        }
    }

    static func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(Int128(1)) { power, _ in power * 10 } }

    /// The digits of a number with at least a number of digits after the decimal point.
    /// - Parameter minimum: Zeros beyond this number of digits are omitted.
    func digits(minimum: Int) -> String {
        guard case .number(var units, var scale) = self else { return "" }
        while scale < minimum { (units, scale) = (units * 10, scale + 1) }
        while scale > minimum, units % 10 == 0 { (units, scale) = (units / 10, scale - 1) }
        let text = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, scale + 1 - text.count)) + text
        let sign = units < 0 ? "-" : ""
        return scale == 0 ? sign + padded : "\(sign)\(padded.dropLast(scale)).\(padded.suffix(scale))"
    }
}

/// A column of the random sales, and the field with the same name.
struct SaleColumn: Sendable {
    enum Kind: Sendable {
        case integer, bigInteger
        case decimal(scale: Int)
        case double, boolean
        case text(ignoresCase: Bool)
        case choice, date, timestamp, time
    }

    let name: String
    let kind: Kind
    var isNullable = true

    func definition(_ backend: TestBackend) -> String {
        let isSQLite = backend == .sqlite
        let type =
            switch kind {
            case .integer: "INTEGER"
            case .bigInteger: "BIGINT"
            case .decimal(2): "DECIMAL(12,2)"
            // SQLite would convert the numbers in a column of type DECIMAL to doubles with 15 digits.
            case .decimal: isSQLite ? "TEXT" : "DECIMAL(28,10)"
            case .double: "DOUBLE"
            case .boolean: "BOOLEAN"
            case .text(true): "VARCHAR(20) COLLATE \(isSQLite ? "NOCASE" : "utf8mb4_general_nopad_ci")"
            case .text(false): "VARCHAR(20)\(isSQLite ? "" : " COLLATE utf8mb4_nopad_bin")"
            case .choice: isSQLite ? "VARCHAR(10)" : "ENUM('small', 'large', 'medium')"
            case .date: "DATE"
            case .timestamp: "DATETIME"
            case .time: "TIME"
            }
        return "\(name) \(type)\(isNullable ? "" : " NOT NULL")"
    }

    var description: String {
        let type =
            switch kind {
            case .integer: "type: int"
            case .bigInteger: "type: bigInteger"
            case .decimal(let scale): "type: decimal, scale: \(scale)"
            case .double: "type: number"
            case .boolean: "type: boolean"
            case .text: "type: text, maxLength: 20"
            case .choice: "type: enum, name: Size, values: [large, medium, small]"
            case .date: "type: date"
            case .timestamp: "type: timestamp"
            case .time: "type: time"
            }
        return "      \(name): {\(type)\(isNullable ? ", nullable: true" : "")}"
    }

    /// Returns one of a few values, so that values repeat.
    func value(_ random: inout SplitMix64) -> SaleValue {
        if isNullable, random.chance(perThousand: 150) { return .null }
        func one<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }
        switch kind {
        case .integer: return .number(one([0, 1, -1, 7, 2_147_483_647, -2_147_483_648]), scale: 0)
        case .bigInteger: return .number(one([0, 5, -5, Int128(Int64.max), Int128(Int64.min)]), scale: 0)
        case .decimal(2): return .number(one([0, 1, -1, 150, 999_999_999_999, -5_005]), scale: 2)
        case .decimal(let scale):
            return .number(
                one([0, 1, -1, 3 * SaleValue.power(10), 123_456_789 * SaleValue.power(19) + 7]), scale: scale)
        case .double: return .double(one([0, 0.25, -0.25, 1.5, 1_000_000]))
        case .boolean: return .boolean(random.chance(perThousand: 500))
        case .text: return .text(one(["", "a", "A", "ab", "AB", "a b*", "é,/'\"", "漢"]))
        case .choice: return .text(one(["small", "medium", "large"]))
        case .date: return .text(one(["2024-02-29", "2024-03-01", "2021-01-03", "2020-12-31", "1999-12-31"]))
        case .timestamp:
            return .text(
                one([
                    "2024-03-31 00:59:59", "2024-03-31 01:00:00", "2024-10-27 00:30:00", "2024-10-27 01:30:00",
                    "2023-12-31 23:30:00", "2021-01-03 23:59:59", "1999-12-31 12:00:00",
                ]))
        case .time: return .text(one(["00:00:00", "07:30:00", "23:59:59"]))
        }
    }

    func sql(_ value: SaleValue, _ backend: TestBackend) -> String {
        switch (value, kind) {
        case (.null, _): return "NULL"
        case (.number, .decimal(let scale)):
            let digits = value.digits(minimum: scale)
            return backend == .sqlite && scale > 2 ? "'\(digits)'" : digits
        case (.number, _): return value.digits(minimum: 0)
        case (.double(let double), _): return "\(double)"
        case (.boolean(let boolean), _): return boolean ? "1" : "0"
        case (.text(let text), _): return "'\(text.replacing("'", with: "''"))'"
        }
    }

    /// Returns a value of the column in a response, or as an operand of a condition.
    func json(_ value: SaleValue) -> JSONValue {
        switch (value, kind) {
        case (.null, _): return .null
        case (.number, .decimal(let scale)): return .string(value.digits(minimum: scale))
        case (.number, .bigInteger): return .string(value.digits(minimum: 0))
        case (.number(let number, _), _): return .integer(Int64(truncatingIfNeeded: number))
        case (.double(let double), _): return .double(double)
        case (.boolean(let boolean), _): return .bool(boolean)
        case (.text(let text), .timestamp): return .string(text.replacing(" ", with: "T") + "Z")
        case (.text(let text), _): return .string(text)
        }
    }

    /// Returns the value that all equal values have in common.
    func folded(_ value: SaleValue) -> SaleValue {
        guard case .text(true) = kind, case .text(let text) = value else { return value }
        return .text(String(text.map { $0.isASCII ? Character($0.lowercased()) : $0 }))
    }
}

/// Random sales, each of a shop or of none. Equal seeds give equal sales.
struct RandomSales: Sendable {
    typealias Row = [String: SaleValue]

    static let columns: [SaleColumn] = [
        .init(name: "id", kind: .integer, isNullable: false), .init(name: "shopId", kind: .integer),
        .init(name: "n", kind: .integer), .init(name: "big", kind: .bigInteger),
        .init(name: "price", kind: .decimal(scale: 2), isNullable: false),
        .init(name: "wide", kind: .decimal(scale: 10)), .init(name: "weight", kind: .double),
        .init(name: "flag", kind: .boolean), .init(name: "note", kind: .text(ignoresCase: true)),
        .init(name: "code", kind: .text(ignoresCase: false), isNullable: false), .init(name: "size", kind: .choice),
        .init(name: "day", kind: .date), .init(name: "at", kind: .timestamp), .init(name: "tm", kind: .time),
    ]

    static let shopColumns: [SaleColumn] = [
        .init(name: "id", kind: .integer, isNullable: false), .init(name: "region", kind: .text(ignoresCase: true)),
        .init(name: "level", kind: .integer, isNullable: false),
    ]

    private(set) var rows: [Row] = []
    private(set) var shops: [Row] = []

    init(_ random: inout SplitMix64) {
        for id in 1...4 {
            var shop = Self.row(Self.shopColumns, &random)
            shop["id"] = .number(Int128(id), scale: 0)
            shops.append(shop)
        }
        for id in 1...random.within(1...40) {
            var row = Self.row(Self.columns, &random)
            row["id"] = .number(Int128(id), scale: 0)
            row["shopId"] = random.chance(perThousand: 200) ? .null : .number(Int128(random.within(1...4)), scale: 0)
            rows.append(row)
        }
    }

    private static func row(_ columns: [SaleColumn], _ random: inout SplitMix64) -> Row {
        var row: Row = [:]
        for column in columns { row[column.name] = column.value(&random) }
        return row
    }

    func shop(of row: Row) -> Row? { shops.first { $0["id"] == row["shopId"] } }

    /// The statements that replace all rows.
    func inserts(_ backend: TestBackend) -> String {
        func values(_ rows: [Row], _ columns: [SaleColumn]) -> String {
            rows.map { row in
                "(\(columns.map { $0.sql(row[$0.name] ?? .null, backend) }.joined(separator: ", ")))"
            }.joined(separator: ", ")
        }
        return """
            DELETE FROM sales;
            DELETE FROM shops;
            INSERT INTO shops VALUES \(values(shops, Self.shopColumns));
            INSERT INTO sales VALUES \(values(rows, Self.columns));
            """
    }

    /// The statements that create the tables.
    static func tables(_ backend: TestBackend) -> String {
        func definitions(_ columns: [SaleColumn]) -> String {
            columns.map { $0.definition(backend) + ($0.name == "id" ? " PRIMARY KEY" : "") }.joined(separator: ", ")
        }
        return """
            CREATE TABLE shops (\(definitions(shopColumns)));
            CREATE TABLE sales (\(definitions(columns)), FOREIGN KEY (shopId) REFERENCES shops (id));
            """
    }

    static let description = """
        duet: 1
        resources:
          shops:
            singular: shop
            type: Shop
            key: [id]
            fields:
        \(shopColumns.map(\.description).joined(separator: "\n"))
          sales:
            singular: sale
            type: Sale
            key: [id]
            fields:
        \(columns.map(\.description).joined(separator: "\n"))
            relations:
              shop: {to: shops, one: optional, columns: {shopId: id}}

        """
}
