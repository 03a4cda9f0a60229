import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase
import Foundation

/// Parses the values of fields in requests: texts in paths and query parameters, and JSON in filters and bodies.
struct ValueReader: Sendable {
    /// The date format that is accepted in addition to `YYYY-MM-DD`.
    let dates: DateEncoding
    /// The database of the values. MariaDB would round a fraction of a second with more than six digits.
    let dialect: Dialect

    /// Parses a value in a path or a query parameter.
    /// - Parameter name: The name of the parameter in errors.
    /// - Throws: ``ServiceError`` that describes the valid values.
    func value(_ text: String, of field: Field, _ name: String) throws -> SQLValue {
        switch field.type {
        case .integer:
            guard let number = Self.integer(text) else { throw invalid(field, name) }
            return try value(.integer(number), of: field, name)
        case .number:
            guard let number = Self.number(text) else { throw invalid(field, name) }
            return field.stored(.double(number))
        case .boolean:
            guard text == "true" || text == "false" else { throw invalid(field, name) }
            return .integer(text == "true" ? 1 : 0)
        case .date:
            guard let date = CalendarDate(iso: text) else { throw invalid(field, name) }
            return .date(date)
        default: return try value(.string(text), of: field, name)
        }
    }

    /// Converts a JSON value.
    /// - Parameter name: The name of the member in errors.
    /// - Throws: ``ServiceError`` that describes the valid values.
    func value(_ json: JSONValue, of field: Field, _ name: String) throws -> SQLValue {
        guard let value = value(json, of: field) else { throw invalid(field, name) }
        return value
    }

    /// Converts a JSON value.
    /// - Returns: nil for an invalid value.
    func value(_ json: JSONValue, of field: Field) -> SQLValue? {
        value(json, of: field.type).map(field.stored)
    }

    private func value(_ json: JSONValue, of type: FieldType) -> SQLValue? {
        switch (type, json) {
        case (.integer(let range), _):
            guard let integer = json.integerValue, range.contains(integer) else { return nil }
            return .integer(integer)
        case (.bigInteger(let isUnsigned, _), .string(let text)):
            guard let value = Self.bigInteger(text) else { return nil }
            // The literal `nil` in `condition ? value : nil` would be NULL, because SQLValue has a nil literal.
            let isValid = if case .integer(let integer) = value { !isUnsigned || integer >= 0 } else { isUnsigned }
            guard isValid else { return nil }
            return value
        case (.bigInteger(let isUnsigned, _), .integer(let integer)):
            return isUnsigned && integer < 0 ? nil : .integer(integer)
        case (.number, .integer(let integer)): return .double(Double(integer))
        case (.number, .double(let double)): return .double(double)
        case (.decimal, .string(let text)):
            return Self.isDecimal(text) ? .decimal(text) : nil
        case (.decimal, .integer(let integer)): return .integer(integer)
        case (.boolean, .bool(let isTrue)): return .integer(isTrue ? 1 : 0)
        case (.date, _): return dates.date(json).map { .date($0) }
        case (.dateTime(let isUTC, let storage), .string(let text)):
            return DateTimeText(text, isUTC: isUTC, storage, dialect).flatMap { $0.stored(as: storage) }
        case (.time, .string(let text)):
            return Self.isTime(text) ? .text(text) : nil
        case (.binary, .string(let text)): return Data(base64Encoded: text).map { .blob(Array($0)) }
        case (.uuid, .string(let text)): return UUID(uuidString: text) == nil ? nil : .text(text)
        case (.text, .string(let text)):
            // A NUL character is rejected, because some database functions treat it as the end of the text.
            return text.containsNUL ? nil : .text(text)
        case (.identifier(let length), .string(let text)): return Self.isIdentifier(text, length) ? .text(text) : nil
        case (.choice(let choice), .string(let text)):
            return choice.values.contains(where: { $0.name == text }) ? .text(text) : nil
        default: return nil
        }
    }

    /// Returns a text pattern.
    /// - Throws: ``ServiceError`` for a text that is not a valid pattern.
    func pattern(_ text: String, _ name: String) throws -> SQLValue {
        guard (1...64).contains(text.unicodeScalars.count), !text.hasControlCharacters else {
            throw ServiceError(
                .invalidParameter,
                "\(name) must be a pattern of 1 to 64 characters without control characters, as in Geo*",
                parameter: name)
        }
        return .text(text)
    }

    private func invalid(_ field: Field, _ name: String) -> ServiceError {
        let allowed: [String]? =
            switch field.type {
            case .choice(let choice): choice.values.map(\.name)
            case .boolean: ["true", "false"]
            default: nil
            }
        return ServiceError(
            .invalidParameter, "\(name) must be \(Self.requirement(of: field.type))", parameter: name, allowed: allowed)
    }

    /// Returns a description of the valid values of a type for error messages: `a whole number from 1 to 9`.
    static func requirement(of type: FieldType) -> String {
        switch type {
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .bigInteger(isUnsigned: false, _): "a 64-bit whole number"
        case .bigInteger(isUnsigned: true, _): "a whole number from 0 to 18446744073709551615"
        case .number: "a number"
        case .decimal: "a decimal number, as in 12.50; in JSON, a string of its digits or a whole number"
        case .boolean: "true or false"
        case .text: "a text without the character U+0000"
        case .date: "a date, as in 1995-12-01"
        case .dateTime(isUTC: true, _): "a date with a time and an offset from UTC, as in 1995-12-01T12:34:56Z"
        case .dateTime(isUTC: false, _): "a date with a time and without an offset, as in 1995-12-01T12:34:56"
        case .time: "a time, as in 12:34:56"
        case .binary: "bytes in base64"
        case .json, .any: "compared to null only"
        case .uuid: "a UUID, as in 123e4567-e89b-12d3-a456-426614174000"
        case .identifier(let length): "up to \(length) letters and digits"
        case .choice(let choice): "one of \(choice.values.map(\.name).joined(separator: ", "))"
        }
    }

    /// Returns true for a time of day or a duration: `12:34`, `-100:00:01.5`.
    private static func isTime(_ text: String) -> Bool {
        var scanner = TextScanner(text)
        _ = scanner.character("-")
        guard scanner.digits(2...3) != nil, scanner.character(":") != nil, let minutes = scanner.digits(2...2),
            let seconds = scanner.digits(2...2, after: ":"), minutes < "60", seconds < "60"
        else { return false }
        return (seconds.isEmpty ? "" : scanner.digits(1...6, after: ".")) != nil && scanner.isAtEnd
    }

    /// Returns true for digits with an optional minus sign and an optional fraction.
    static func isDecimal(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var position = bytes.first == UInt8(ascii: "-") ? 1 : 0
            func digits() -> Int {
                let start = position
                while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
                return position - start
            }
            guard (1...65).contains(digits()) else { return false }
            guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return position == bytes.count }
            position += 1
            return (1...38).contains(digits()) && position == bytes.count
        }
    }

    /// Parses a 64-bit whole number, signed or unsigned, in decimal digits.
    static func bigInteger(_ text: String) -> SQLValue? {
        var scanner = TextScanner(text)
        _ = scanner.character("-")
        guard scanner.digits(1...20) != nil, scanner.isAtEnd else { return nil }
        if let integer = Int64(text) { return .integer(integer) }
        return UInt64(text).map { .unsigned($0) }
    }

    /// Parses a whole number: 1 to 18 decimal digits with an optional minus sign.
    static func integer(_ text: String) -> Int64? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.count <= 18, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Parses a finite number: decimal digits with an optional sign, fraction and exponent. `Double` would also accept
    /// hexadecimal digits.
    static func number(_ text: String) -> Double? {
        guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }), let number = Double(text),
            number.isFinite
        else { return nil }
        return number
    }

    /// Returns true for a text of letters and digits.
    static func isIdentifier(_ text: String, _ maximumLength: Int) -> Bool {
        (1...maximumLength).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
            }
    }
}

extension Field {
    /// Returns the value rounded to the precision of the column; see ``isSingle``.
    func stored(_ value: SQLValue) -> SQLValue {
        guard isSingle, case .double(let number) = value else { return value }
        return .double(Double(Float(number)))
    }
}

extension String {
    fileprivate var hasControlCharacters: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension DateEncoding {
    /// Returns the date for a text `YYYY-MM-DD` or for a number in the format of this encoding; `nil` if the value is
    /// not a date.
    func date(_ value: JSONValue) -> CalendarDate? {
        if case .string(let text) = value { return CalendarDate(iso: text) }
        return value.integerValue.flatMap { date(epochMilliseconds: $0) }
    }

    /// True if dates are JSON strings, and false if they are numbers.
    var isText: Bool {
        if case .string = json(CalendarDate(daysSinceEpoch: 0)) { true } else { false }
    }
}
