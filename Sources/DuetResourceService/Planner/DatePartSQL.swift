import DuetResultSetJSON
package import DuetSQLDatabase

/// The SQL expression of a part of a date.
struct DatePartExpression {
    /// The expression. Its value is NULL only if the date is NULL.
    let sql: String
    /// The type of the values: integers or texts.
    let type: FieldType
}

/// The parts of stored values that are not dates.
enum InvalidDates {
    /// The statement fails.
    case areErrors
    /// The part of a zero date of MariaDB is NULL. For other values, the statement fails.
    case areErrorsExceptZeroDates
    /// The parts are NULL.
    case areNull
}

extension FieldType {
    /// The parts of the values that can be keys of groups; empty if the values are not dates.
    package var dateParts: [DatePart] {
        switch self {
        case .date: DatePart.allCases.filter { $0 != .hour }
        case .dateTime: DatePart.allCases
        default: []
        }
    }

    /// True for points in time, whose parts depend on a time zone.
    package var isPointInTime: Bool { if case .dateTime(isUTC: true, _) = self { true } else { false } }
}

extension Planner {
    /// Returns the SQL expression of a part of a date.
    ///
    /// The statement fails with the code `invalid-value` if a stored value does not have the type of the field.
    /// - Parameters:
    ///   - expression: The column of the field; see ``RowSource/expression(of:_:)``.
    ///   - zone: The time zone of the result for a field of points in time. Other dates have no time zone. A statement
    ///     has only one time zone, because its offsets are bound to parameters with fixed names.
    ///   - name: The name of the field in the error; nil for `resource.field`.
    ///   - invalidDates: The parts of values that do not have the type.
    /// - Throws: ``ServiceError`` if the values of the field do not have the part.
    func datePart(
        _ part: DatePart, of field: Field, _ expression: String, in zone: TimeZoneTable, of resource: Resource,
        _ scope: inout StatementScope, named name: String? = nil, invalidDates: InvalidDates = .areErrors
    ) throws -> DatePartExpression {
        guard field.type.dateParts.contains(part) else {
            let parts = field.type.dateParts.map(\.rawValue)
            throw ServiceError(
                .invalidParameter, "the field \(field.name) has no part \(part.rawValue)", allowed: parts)
        }
        let zone = field.type.isPointInTime && !zone.offsets.isZero ? zone : nil
        let name = invalidDates == .areNull ? nil : name ?? "\(resource.name).\(field.name)"
        let sql: String
        switch dialect.dateParts {
        case .function:
            var table = "NULL"
            if let zone {
                scope.bind(.value(.blob(zone.offsets.bytes)), as: "zone_table")
                table = ":zone_table"
            }
            let form = field.type.storedDateForm.code
            let failure = name.map { "'\($0)'" } ?? "NULL"
            sql = "duet_date_part(\(expression), \(form), '\(part.rawValue)', \(table), \(failure))"
        case .expressions:
            let date = try DateExpression(field, expression, zone?.offsets)
            if let zone { date.bind(zone.offsets, &scope) }
            sql = date.sql(part, field: name, nullifiesZeroDates: invalidDates == .areErrorsExceptZeroDates)
        }
        return DatePartExpression(sql: sql, type: part.isNumber ? .integer() : .text())
    }
}

extension FieldType {
    /// The form of the dates in a column of SQLite.
    var storedDateForm: StoredDateForm {
        guard case .dateTime(_, let form) = self else { return .date }
        return switch form {
        case .sql: .text(separator: UInt8(ascii: " "), isUTC: false)
        case .iso: .text(separator: UInt8(ascii: "T"), isUTC: false)
        case .utc: .text(separator: UInt8(ascii: "T"), isUTC: true)
        case .offset: .offset
        default: form.unit.map { StoredDateForm.number($0) } ?? .julianDays
        }
    }
}
