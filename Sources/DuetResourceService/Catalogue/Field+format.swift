package import DuetResultSetJSON
import DuetSQLDatabase

extension Field {
    /// The format of the values in responses.
    var format: ValueFormat {
        var format = type.format
        format.isNullable = isNullable
        format.isStoredAsBytes = isStoredAsBytes
        format.nullifiesMismatches = nullifiesMismatches
        return format
    }

    /// The valid texts; empty if all texts are valid.
    var choices: [String] { if case .choice(let choice) = type { choice.values.map(\.name) } else { [] } }

    /// Returns a value of a client as an argument of a statement.
    func bound(_ value: SQLValue) -> SQLValue {
        guard isStoredAsBytes, case .text(let text) = value else { return value }
        return .blob(Array(text.utf8))
    }

    /// Returns a stored value as the value of a client.
    package func shown(_ value: SQLValue) -> SQLValue { isStoredAsBytes ? value.textOfBytes : value }

    /// The format of the values as a GraphQL `ID`, which is always a string.
    var identifierFormat: ValueFormat {
        switch type {
        case .integer, .bigInteger: ValueFormat(.integerText, isNullable: isNullable)
        case .decimal(let digits, _):
            ValueFormat(.decimalText, isNullable: isNullable, scale: UInt8(clamping: digits))
        default: format
        }
    }
}

extension FieldType {
    /// The format of the values in responses, without NULL and zero dates.
    package var format: ValueFormat {
        let kind: ValueFormat.Kind
        var scale: UInt8 = 0
        var dateTimeForm = DateTimeForm.sql
        switch self {
        case .integer: kind = .safeInteger
        case .bigInteger(_, let form): kind = form == .string ? .integerText : .integer
        case .number: kind = .number
        case .decimal(let digits, let form):
            kind = form == .string ? .decimalText : .decimal
            scale = UInt8(clamping: digits)
        case .boolean: kind = .boolean
        case .text, .identifier: kind = .text
        case .choice: kind = .choice
        case .uuid: kind = .uuid
        case .date: kind = .date
        case .dateTime(let isUTC, let form):
            kind = isUTC ? .timestamp : .dateTime
            dateTimeForm = form
        case .time: kind = .time
        case .binary: kind = .binary
        case .json: kind = .json
        case .any: kind = .any
        }
        return ValueFormat(kind, isNullable: false, scale: scale, dateTimeForm: dateTimeForm)
    }
}
