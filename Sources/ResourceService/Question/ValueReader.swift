import DuetJSON
import ResultSetJSON
import SQLDatabase

/// Reads the values that clients send for fields: as texts, in paths and query parameters, and as JSON, in filters.
struct ValueReader: Sendable {
    /// How dates are written besides `YYYY-MM-DD`.
    let dates: DateEncoding

    /// The maximum number of characters of a text.
    private static let longestText = 1_000

    /// A value of a path or a query parameter.
    /// - Parameter name: The parameter, for errors.
    /// - Throws: ``ServiceError`` that says which values there are.
    func value(_ text: String, of field: Field, _ name: String) throws -> SQLValue {
        switch field.type {
        case .integer:
            guard let number = Self.integer(text) else { throw invalid(field, name) }
            return try value(.integer(number), of: field, name)
        case .number:
            guard let number = Double(text), number.isFinite else { throw invalid(field, name) }
            return .double(number)
        case .text, .identifier, .choice: return try value(.string(text), of: field, name)
        case .date:
            guard let date = CalendarDate(iso: text) else { throw invalid(field, name) }
            return .date(date)
        }
    }

    /// A value of JSON.
    /// - Parameter name: The member, for errors.
    /// - Throws: ``ServiceError`` that says which values there are.
    func value(_ json: JSONValue, of field: Field, _ name: String) throws -> SQLValue {
        switch (field.type, json) {
        case (.integer(let range), _):
            guard let integer = json.integerValue, range.contains(integer) else { break }
            return .integer(integer)
        case (.number, .integer(let integer)): return .double(Double(integer))
        case (.number, .double(let double)): return .double(double)
        case (.date, _):
            guard let date = dates.date(json) else { break }
            return .date(date)
        case (.text, .string(let text)):
            guard text.unicodeScalars.count <= Self.longestText, !text.hasControlCharacters else { break }
            return .text(text)
        case (.identifier(let length), .string(let text)):
            guard Self.isIdentifier(text, length) else { break }
            return .text(text)
        case (.choice(let choice), .string(let text)):
            guard choice.values.contains(where: { $0.name == text }) else { break }
            return .text(text)
        default: break
        }
        throw invalid(field, name)
    }

    /// A pattern for texts.
    /// - Throws: ``ServiceError`` for a text that is unfit to be one.
    func pattern(_ text: String, _ name: String) throws -> SQLValue {
        guard (1...64).contains(text.unicodeScalars.count), !text.hasControlCharacters else {
            throw ServiceError(
                .invalidParameter,
                "\(name) is a pattern of 1 to 64 characters, none of them a control character, as in Geo*",
                parameter: name)
        }
        return .text(text)
    }

    private func invalid(_ field: Field, _ name: String) -> ServiceError {
        let valid =
            switch field.type {
            case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
            case .number: "a number"
            case .text: "a text of at most \(Self.longestText) characters, none of them a control character"
            case .date: "a date, as in 1995-12-01"
            case .identifier(let length): "up to \(length) letters and digits"
            case .choice(let choice): "one of \(choice.values.map(\.name).joined(separator: ", "))"
            }
        let allowed: [String]? = if case .choice(let choice) = field.type { choice.values.map(\.name) } else { nil }
        return ServiceError(.invalidParameter, "\(name) is \(valid)", parameter: name, allowed: allowed)
    }

    /// A whole number in its usual spelling: digits, a minus sign before them if it is negative.
    static func integer(_ text: String) -> Int64? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.count <= 18, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    private static func isIdentifier(_ text: String, _ maximumLength: Int) -> Bool {
        (1...maximumLength).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
            }
    }
}

extension String {
    fileprivate var hasControlCharacters: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension DateEncoding {
    /// A date in either form: `YYYY-MM-DD`, or the number that answers have for it; `nil` if it is none.
    func date(_ value: JSONValue) -> CalendarDate? {
        if case .string(let text) = value { return CalendarDate(iso: text) }
        return value.integerValue.flatMap { date(epochMilliseconds: $0) }
    }
}
