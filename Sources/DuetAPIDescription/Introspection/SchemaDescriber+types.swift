import DuetDatabaseSchema
import DuetResourceService
import DuetSQLDatabase

extension SchemaDescriber {
    /// Returns the type of the field for a column. Adds a comment if the database does not provide enough information.
    mutating func fieldType(
        of column: TableColumn, _ resource: TableResource, _ name: String, _ path: String
    ) -> FieldType {
        switch column.type {
        case .integer(let bits, let isUnsigned):
            if column.declaredType.lowercased().hasPrefix("tinyint(1)") {
                note(path, "If the column contains only 0 and 1, use: type: boolean")
            }
            return integer(bits: bits, isUnsigned: isUnsigned, column.declaredType)
        case .boolean: return .boolean
        case .decimal(_, let scale): return .decimal(scale: scale ?? 0)
        case .double, .float: return .number
        case .text where schema.dialect == .sqlite && Affinity(column.declaredType) == .numeric:
            note(
                path,
                "In a column of the type \(column.declaredType), SQLite stores digits as a number. Values are returned as stored."
            )
            return .any
        case .text(let length): return .text(maximumLength: length.flatMap { $0 > 1_000_000 ? nil : $0 })
        case .character(let length): return .text(maximumLength: length)
        case .enumeration(let values): return enumeration(values, column, resource, name, path)
        case .set(let values):
            note(path, "A comma-separated list of values from the set \(values.joined(separator: ", ")).")
            return .text()
        case .date: return .date
        case .dateTime: return .dateTime(isUTC: false)
        case .timestamp: return .dateTime(isUTC: schema.dialect == .mariaDB)
        case .time: return .time
        case .year: return .integer(0...9_999)
        case .binary: return .binary
        case .json: return .json
        case .uuid: return .uuid
        case .inet4: return .text(maximumLength: 15)
        case .inet6: return .text(maximumLength: 45)
        case .bits(1): return .boolean
        case .bits(let count):
            return count <= 53 ? .integer(0...(1 << Int64(count) - 1)) : .bigInteger(isUnsigned: true)
        case .any: return .any
        case .other(let type):
            if schema.dialect == .sqlite {
                note(path, "The declared type \(type) is unknown, so values are returned as stored.")
                return .any
            }
            note(path, "Values of the type \(type) are returned as bytes.")
            return .binary
        }
    }

    private func integer(bits: Int, isUnsigned: Bool, _ declaredType: String) -> FieldType {
        // SQLite columns can hold 64-bit integers. Most databases need that range only in columns declared BIGINT.
        if schema.dialect == .sqlite {
            let isBig = ["BIG", "INT8"].contains { declaredType.uppercased().contains($0) }
            return isBig ? .bigInteger(isUnsigned: false) : .integer(FieldType.safeNumbers)
        }
        if bits > 53 { return .bigInteger(isUnsigned: isUnsigned) }
        return .integer(isUnsigned ? 0...(1 << Int64(bits) - 1) : -(1 << Int64(bits - 1))...(1 << Int64(bits - 1) - 1))
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
