import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase

/// The reason why the type of a field does not fit a column.
struct Misfit {
    let severity: SchemaFinding.Severity
    /// The predicate of a sentence about the field, such as `is a uuid, but the column TEXT can hold other texts`.
    var reason: String

    static func error(_ reason: String) -> Self { Self(severity: .error, reason: reason) }
    static func warning(_ reason: String) -> Self { Self(severity: .warning, reason: reason) }
}

/// Compares the types of fields with the types of columns.
struct TypeFit {
    let column: TableColumn
    let dialect: Dialect

    /// Returns the reason why a field does not fit the column; nil if it fits.
    func misfit(_ field: Field) -> Misfit? {
        if field.isStoredAsBytes { return misfit(ofEncodedText: field) }
        if !dialect.enforcesTypes { return hintedMisfit(field.type) }
        guard var misfit = enforcedMisfit(field.type) else { return nil }
        if case .binary = column.type, field.type.canBeStoredAsBytes {
            misfit.reason += "; if the values are texts in UTF-8, add charset: utf8"
        }
        return misfit
    }

    /// Compares a field whose texts are stored as bytes with the column as if the column contained the texts.
    private func misfit(ofEncodedText field: Field) -> Misfit? {
        var column = column
        var field = field
        field.isStoredAsBytes = false
        switch column.type {
        case .binary(let length): column.type = .text(maximumLength: length)
        case .any, .other:
            if !dialect.enforcesTypes { return nil }
            fallthrough
        default:
            let reason =
                "has charset: utf8, which is for texts in columns of bytes, but the column is declared \(declared)"
            return dialect.enforcesTypes
                ? .error(reason + "; remove it")
                : .warning(reason + ", and \(dialect.title) stores values of any type")
        }
        return TypeFit(column: column, dialect: dialect).misfit(field)
    }

    private var declared: String { column.declaredType.isEmpty ? "without a type" : column.declaredType }

    // MARK: Types as hints

    /// The column can hold values of any type, so every misfit is a warning.
    private func hintedMisfit(_ type: FieldType) -> Misfit? {
        let fits =
            switch (column.type, type) {
            case (.any, _), (.other, _), (_, .any): true
            case (.integer, .dateTime(_, let form)), (.decimal, .dateTime(_, let form)),
                (.double, .dateTime(_, let form)):
                form.isNumber
            case (.dateTime, .date), (.timestamp, .date): true
            case (.integer, .integer), (.integer, .bigInteger), (.integer, .number), (.integer, .decimal),
                (.integer, .boolean):
                true
            case (.boolean, .boolean), (.boolean, .integer): true
            case (.decimal, .decimal), (.decimal, .number), (.decimal, .integer), (.decimal, .bigInteger): true
            case (.double, .number), (.double, .decimal), (.float, .number), (.float, .decimal): true
            case (.year, .integer), (.bits, .integer), (.bits, .bigInteger), (.bits, .boolean): true
            case (_, .integer), (_, .bigInteger), (_, .number), (_, .decimal), (_, .boolean): false
            case (.binary, .binary): true
            case (.binary, _), (_, .binary): false
            case (.integer, _), (.boolean, _), (.decimal, _), (.double, _), (.float, _), (.year, _), (.bits, _): false
            case (.date, .date), (.date, .text): true
            case (.dateTime, .dateTime), (.dateTime, .text), (.timestamp, .dateTime), (.timestamp, .text): true
            case (.time, .time), (.time, .text): true
            case (.date, _), (.dateTime, _), (.timestamp, _), (.time, _): false
            // SQLite stores the other types as texts.
            default: true
            }
        return fits
            ? nil
            : .warning(
                "is \(type.noun), but the column is declared \(declared), and \(dialect.title) stores values of any type"
            )
    }

    // MARK: Enforced types

    /// The column can hold only values of its type.
    private func enforcedMisfit(_ type: FieldType) -> Misfit? {
        let other = Misfit.error("is \(type.noun), which does not match the column type \(column.declaredType)")
        switch type {
        case .any: return nil
        case .integer(let range): return isInteger ? integer(range) : other
        case .bigInteger(let isUnsigned, _):
            guard isInteger else { return other }
            guard case .integer(_, let hasNoSign) = column.type, hasNoSign != isUnsigned, isUnsigned || bits > 63 else {
                return nil
            }
            return .warning(
                isUnsigned
                    ? "has no negative numbers, which the column \(column.declaredType) can hold"
                    : "is a bigInteger, but the column \(column.declaredType) can hold greater numbers; use unsignedBigInteger"
            )
        case .number: return number
        case .decimal: return decimal(other)
        case .boolean: return boolean(other)
        case .text(let length): return text(length, other)
        case .identifier(let length): return text(length, other)
        case .choice(let choice): return self.choice(choice, other)
        case .date: return column.type == .date ? nil : other
        case .dateTime(let isUTC, let storage): return dateTime(isUTC, storage, other)
        case .time: if case .time = column.type { return nil } else { return other }
        case .binary: return binary(other)
        case .json: return json(other)
        case .uuid: return uuid(other)
        }
    }

    private var bits: Int {
        switch column.type {
        case .integer(let bits, _), .bits(let bits): bits
        case .boolean: 1
        case .year: 14
        default: 0
        }
    }

    private var isInteger: Bool { bits > 0 }

    /// Compares the width of the type, 32 or 53 bits, with that of the column. The members `minimum` and `maximum` are
    /// ignored, because the author of the description chooses them.
    private func integer(_ range: ClosedRange<Int64>) -> Misfit? {
        let isUnsigned =
            switch column.type {
            case .integer(_, let isUnsigned): isUnsigned
            case .bits: true
            default: false
            }
        let isInt = FieldType.integer(range).typeName == .int
        let needed = isUnsigned ? bits + 1 : bits
        guard needed > (isInt ? 32 : 54) else { return nil }
        let advice = needed <= 54 ? "integer" : isUnsigned ? "unsignedBigInteger" : "bigInteger"
        return .warning(
            "is \(FieldType.integer(range).noun), but the column \(column.declaredType) can hold greater numbers; use \(advice)"
        )
    }

    private var number: Misfit? {
        switch column.type {
        case .decimal:
            .error(
                "is a number, but \(column.declaredType) holds exact decimals; use decimal, with as: number for a JSON number"
            )
        case .integer(let bits, _) where bits > 53:
            .warning("is a number, which rounds the integers of \(column.declaredType); use bigInteger")
        case .double, .float: nil
        default: isInteger ? nil : .error("is a number, which does not match the column type \(column.declaredType)")
        }
    }

    private func decimal(_ other: Misfit) -> Misfit? {
        switch column.type {
        case .decimal: nil
        case .double, .float:
            .warning("is a decimal, but the column \(column.declaredType) holds rounded numbers; use number")
        default: isInteger ? nil : other
        }
    }

    private func boolean(_ other: Misfit) -> Misfit? {
        if column.declaredType.lowercased().hasPrefix("tinyint(1)") || bits == 1 { return nil }
        return isInteger
            ? .warning("is a boolean, but the column \(column.declaredType) can hold more than 0 and 1") : other
    }

    private func text(_ length: Int?, _ other: Misfit) -> Misfit? {
        switch column.type {
        case .text(let columnLength):
            // A column without a length can hold texts of any length.
            guard let length, length < columnLength ?? .max else { return nil }
            return .warning(
                "has at most \(length) characters, but the column \(column.declaredType) can hold more; change maxLength"
            )
        case .character(let columnLength):
            guard let length, length < columnLength else { return nil }
            return .warning(
                "has at most \(length) characters, but the column \(column.declaredType) can hold more; change maxLength"
            )
        case .enumeration(let values):
            guard let length, let longest = values.map(\.count).max(), length < longest else { return nil }
            return .warning(
                "has at most \(length) characters, but a value of the column has \(longest); change maxLength")
        case .set, .uuid, .inet4, .inet6, .json: return nil
        case .decimal:
            return .error(
                "is a text, but \(column.declaredType) holds numbers, which compare differently; use decimal")
        default: return other
        }
    }

    private func choice(_ choice: Choice, _ other: Misfit) -> Misfit? {
        let described = Set(choice.values.map(\.name))
        switch column.type {
        case .enumeration(let values):
            let missing = values.filter { !described.contains($0) }
            if !missing.isEmpty {
                return .error(
                    "is the enum \(choice.name), which lacks \(Self.quoted(missing)) of the column; add \(missing.count == 1 ? "it" : "them") to values"
                )
            }
            let extra = choice.values.map(\.name).filter { !values.contains($0) }
            return extra.isEmpty
                ? nil : .warning("is the enum \(choice.name) with \(Self.quoted(extra)), which the column cannot hold")
        case .text, .character:
            return .warning("is the enum \(choice.name), but the column \(column.declaredType) can hold other texts")
        default: return other
        }
    }

    private static func quoted(_ texts: [String]) -> String { texts.map { "\"\($0)\"" }.joined(separator: ", ") }

    private func dateTime(_ isUTC: Bool, _ storage: DateTimeForm, _ other: Misfit) -> Misfit? {
        if storage.isNumber, storage != .julianDays {
            switch column.type {
            case .double, .float: return nil
            default: return isInteger ? nil : other
            }
        }
        if storage != .sql {
            return .error(
                "has stored: \(storage.rawValue), which is only for SQLite; \(dialect.title) has its own format")
        }
        switch column.type {
        case .date: return nil
        case .dateTime:
            return isUTC
                ? .warning("is a timestamp, but the column \(column.declaredType) has no time zone; use dateTime") : nil
        case .timestamp:
            return isUTC
                ? nil : .warning("is a dateTime, but the column \(column.declaredType) holds instants; use timestamp")
        default: return other
        }
    }

    private func binary(_ other: Misfit) -> Misfit? {
        switch column.type {
        case .binary, .other: nil
        default: other
        }
    }

    private func json(_ other: Misfit) -> Misfit? {
        switch column.type {
        case .json: nil
        case .text, .character:
            .warning("is json, but the column \(column.declaredType) can hold texts that are not JSON")
        default: other
        }
    }

    private func uuid(_ other: Misfit) -> Misfit? {
        switch column.type {
        case .uuid, .character(36): nil
        case .text, .character: .warning("is a uuid, but the column \(column.declaredType) can hold other texts")
        default: other
        }
    }
}

extension FieldType {
    /// True if a field can have the member `charset`.
    fileprivate var canBeStoredAsBytes: Bool {
        switch self {
        case .text, .identifier, .choice, .json: true
        default: false
        }
    }
}
