import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase

extension SchemaDescriber {
    /// Returns the type of the field for a column. Adds a comment if the database does not provide enough information.
    mutating func fieldType(
        of column: TableColumn, _ contents: ColumnContents?, _ resource: TableResource, _ name: String, _ path: String
    ) -> FieldType {
        guard schema.dialect.enforcesTypes else { return hintedType(of: column, contents, resource.table, path) }
        switch column.type {
        case .integer(let bits, let isUnsigned):
            if column.declaredType.lowercased().hasPrefix("tinyint(1)") {
                note(path, "If the column contains only 0 and 1, use: type: boolean")
            }
            if bits > 53 { return .bigInteger(isUnsigned: isUnsigned) }
            return .integer(
                isUnsigned ? 0...(1 << Int64(bits) - 1) : -(1 << Int64(bits - 1))...(1 << Int64(bits - 1) - 1))
        case .enumeration(let values): return enumeration(values, column, resource, name, path)
        case .set(let values):
            note(path, "A comma-separated list of values from the set \(values.joined(separator: ", ")).")
            return .text()
        case .timestamp: return .dateTime(isUTC: true)
        case .text(let length): return .text(maximumLength: length.flatMap { $0 > 1_000_000 ? nil : $0 })
        case .character(let length): return .text(maximumLength: length)
        case .binary:
            note(path, Self.encodedTexts)
            return .binary
        case .other(let type):
            note(path, "Values of the type \(type) are returned as bytes.")
            return .binary
        default: return FieldType(declaredIn: column)
        }
    }

    private static let encodedTexts = "If the values are texts in UTF-8, use: type: text, charset: utf8"

    // MARK: Types as hints

    /// Returns the type that the declared type suggests, or a wider type that fits all values that were read.
    private mutating func hintedType(
        of column: TableColumn, _ contents: ColumnContents?, _ table: SchemaTable, _ path: String
    ) -> FieldType {
        let declared = FieldType(declaredIn: column)
        guard let contents, contents.values > 0 else {
            noteDeclaredType(column, path)
            return declared
        }
        var type = contents.type
        let isKey = ([table.primaryKey].compactMap(\.self) + table.uniqueKeys).contains { $0.contains(column.name) }
        // Such a type cannot be part of a key, because different stored values can be the same time.
        if isKey, type.isComparedInUTC { type = contents.texts > 0 ? .text() : .number }
        if contents.unrepresentable > 0 {
            note(
                path,
                "JSON cannot represent \(contents.unrepresentable) of the values that were read: infinite numbers, or texts that are not UTF-8. These values are null in responses."
            )
        }
        if type == declared {
            noteDeclaredType(column, path)
        } else if column.storesDigitsAsNumbers, type == .text() {
            note(
                path,
                "In a column of the type \(column.declaredType), \(schema.dialect.title) stores digits as a number. All values that were read are texts."
            )
        } else if case (.integer, .bigInteger) = (declared, type) {
            note(path, "The column has integers outside ±9007199254740991.")
        } else {
            let suffix = type == .any ? ", which are returned as stored" : ""
            note(path, "The column is declared \(column.declaredType), but the rows have \(contents.classes)\(suffix).")
        }
        if type == .binary, contents.areEncodedTexts { note(path, Self.encodedTexts) }
        let better = contents.suggestedTypes.filter { !isKey || !$0.isComparedInUTC }
        // A field of a key cannot be null.
        if !isKey, let others = contents.typeWithoutEmptyTexts {
            let members = (column.isNullable ? "" : ", nullable: true") + ", mismatch: null"
            let empty =
                others.count == 1 ? "One value is the empty text." : "\(others.count) of the values are the empty text."
            if others.canBeTimes, declared.isDateOrTime {
                for (years, type) in Self.epochs {
                    note(
                        path,
                        "\(empty) If the others are points in time in the years \(years), use: \(type.described)\(members)"
                    )
                }
            } else {
                note(path, "\(empty) If it means that there is no value, use: \(others.type.described)\(members)")
            }
        }
        if better.count > 1, column.mayContainTimes || declared.isDateOrTime {
            for (years, type) in Self.epochs {
                note(path, "If the values are points in time in the years \(years), use: \(type.described)")
            }
        } else if let first = better.first, column.mayContainTimes || contents.integers + contents.reals == 0 {
            note(path, "If the values are \(first.nounOfTimes), use: \(first.described)")
        } else if type == .any, let plain = contents.plainType {
            note(path, "If all values are \(plain.nounOfValues), use: \(plain.described)")
        }
        if case .dateTime(_, let form) = type, form.isNumber, contents.zeros > 0 {
            note(path, "Among the values is 0, which is a time, too (\(contents.zeros) of \(contents.values) values).")
        }
        return type
    }

    /// The types of numbers of seconds that can be times since 1970 and times since 2001.
    private static let epochs = [("2021 to 2040", DateTimeForm.cocoaSeconds), ("1990 to 2009", .unixSeconds)].map {
        ($0.0, FieldType.dateTime(isUTC: true, $0.1))
    }

    private mutating func noteDeclaredType(_ column: TableColumn, _ path: String) {
        switch column.type {
        case .text where column.storesDigitsAsNumbers:
            note(
                path,
                "In a column of the type \(column.declaredType), \(schema.dialect.title) stores digits as a number. Values are returned as stored."
            )
        case .other(let type): note(path, "The declared type \(type) is unknown, so values are returned as stored.")
        default: break
        }
    }

    private mutating func enumeration(
        _ values: [String], _ column: TableColumn, _ resource: TableResource, _ name: String, _ path: String
    ) -> FieldType {
        let areNames = values.allSatisfy {
            $0.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil && !$0.hasPrefix("__")
                && !["true", "false", "null"].contains($0)
        }
        guard areNames, !values.isEmpty, Set(values).count == values.count else {
            note(
                path,
                "One of \(values.map { "\"\($0)\"" }.joined(separator: ", ")): some of these values are not valid GraphQL names."
            )
            return .text(maximumLength: values.map(\.count).max())
        }
        let type = typeName(resource.type + name.prefix(1).uppercased() + name.dropFirst(), isChoice: true)
        return .choice(Choice(type, "The values of the column \(column.name).", values.map { .init($0, $0) }))
    }
}

extension FieldType {
    /// The type of a field for a column, from the declared type alone. For MariaDB, ``SchemaDescriber`` has more
    /// precise types for some columns.
    init(declaredIn column: TableColumn) {
        switch column.type {
        case .integer:
            // A SQLite column can contain integers of 64 bits. Most databases need them only in columns declared
            // BIGINT.
            let isBig = ["BIG", "INT8"].contains { column.declaredType.uppercased().contains($0) }
            self = isBig ? .bigInteger(isUnsigned: false) : .integer(FieldType.safeNumbers)
        case .boolean, .bits(1): self = .boolean
        case .bits(let count):
            self = count <= 53 ? .integer(0...(1 << Int64(count) - 1)) : .bigInteger(isUnsigned: true)
        case .decimal(_, let scale): self = .decimal(scale: scale ?? 0)
        case .double, .float: self = .number
        // SQLite does not enforce the declared length of a text.
        case .text: self = column.storesDigitsAsNumbers ? .any : .text()
        case .character, .enumeration, .set: self = .text()
        case .date: self = .date
        case .dateTime, .timestamp: self = .dateTime(isUTC: false)
        case .time: self = .time
        case .year: self = .integer(0...9_999)
        case .binary: self = .binary
        case .json: self = .json
        case .uuid: self = .uuid
        case .inet4: self = .text(maximumLength: 15)
        case .inet6: self = .text(maximumLength: 45)
        case .any, .other: self = .any
        }
    }

    fileprivate var isDateOrTime: Bool {
        switch self {
        case .date, .dateTime: true
        default: false
        }
    }

    /// The values of a date or time type, for a comment.
    fileprivate var nounOfTimes: String {
        switch self {
        case .date: "dates"
        case .dateTime(isUTC: true, _): "points in time"
        default: "dates with a time"
        }
    }

    /// The values of a type of numbers, texts or bytes, for a comment.
    fileprivate var nounOfValues: String {
        switch self {
        case .integer, .bigInteger: "integers"
        case .number: "numbers"
        case .binary: "blobs"
        default: "texts"
        }
    }

    /// The members of a field with this type.
    fileprivate var described: String {
        let type = "type: \(typeName.rawValue)"
        return switch self {
        case .dateTime(_, let form): type + (form == .sql ? "" : ", stored: \(form.rawValue)")
        case .decimal(let scale, _): type + (scale == 0 ? "" : ", scale: \(scale)")
        default: type
        }
    }
}

extension TableColumn {
    /// True for a column of SQLite that is declared as text by a name such as `STRING`, which SQLite does not know.
    var storesDigitsAsNumbers: Bool {
        if case .text = type { Affinity(declaredType) == .numeric } else { false }
    }

    /// True if the name of the column is usual for a time. Many other integers are in the range of current times.
    fileprivate var mayContainTimes: Bool {
        let words = APIName.camelCase(name, fallback: "").replacing(/[A-Z]/) { " " + $0.output.lowercased() }
            .split(separator: " ").map(String.init)
        let usual: Set = [
            "at", "on", "date", "time", "timestamp", "stamp", "ts", "created", "creation", "modified", "modification",
            "updated",
            "changed", "visit", "visited", "expires", "expiry", "last", "added", "deleted", "mod", "utc", "started",
            "ended",
        ]
        return words.contains(where: usual.contains)
            || ["date", "time", "stamp"].contains { name.lowercased().hasSuffix($0) }
    }
}
