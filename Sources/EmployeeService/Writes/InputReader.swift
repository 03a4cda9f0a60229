import DuetJSON
import ResultSetJSON
import SQLDatabase

/// Reads the members of a request body and notes every one that is not as it should be, so that a client hears of all
/// its mistakes at once.
struct InputReader {
    private let object: JSONObject
    private let dates: DateEncoding
    private var seen: Set<UTF8Text> = []
    private(set) var errors: [ServiceError.FieldError] = []

    /// - Throws: ``ServiceError`` with code `malformed-body` for anything but an object.
    init(_ value: JSONValue, dates: DateEncoding) throws {
        guard case .object(let object) = value else {
            throw ServiceError(.malformedBody, "the body is a JSON object, not \(value.typeName)")
        }
        self.object = object
        self.dates = dates
    }

    /// - Throws: ``ServiceError`` with code `validation-failed` that lists every member at fault, unknown ones too.
    mutating func finish() throws {
        for member in object.members where !seen.contains(UTF8Text(member.key)) {
            fail(member.key, "is not known; there are \(seen.map(\.string).sorted().joined(separator: ", "))")
        }
        guard !errors.isEmpty else { return }
        let names = errors.map(\.field).joined(separator: ", ")
        throw ServiceError(.validationFailed, "the body cannot be used: see \(names)", fields: errors)
    }

    mutating func fail(_ field: String, _ message: String) {
        errors.append(ServiceError.FieldError(field: field, message: message))
    }

    /// Notes that a member may be there, and gives it.
    private mutating func take(_ field: String, required: Bool) -> JSONValue? {
        seen.insert(UTF8Text(field))
        let value = object[field]
        if value == nil, required { fail(field, "is missing") }
        return value
    }

    mutating func text(_ field: String, required: Bool, maximumLength: Int) -> String? {
        guard let value = take(field, required: required) else { return nil }
        guard case .string(let text) = value else {
            fail(field, "must be a string, not \(value.typeName)")
            return nil
        }
        let length = text.unicodeScalars.count
        guard length >= 1, length <= maximumLength else {
            fail(field, "must have 1 to \(maximumLength) characters, not \(length)")
            return nil
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            fail(field, "must not have control characters")
            return nil
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            fail(field, "must not be blank")
            return nil
        }
        return text
    }

    mutating func choice(_ field: String, required: Bool, of choices: [String]) -> String? {
        guard let value = take(field, required: required) else { return nil }
        guard case .string(let text) = value, choices.contains(text) else {
            fail(field, "must be one of \(choices.joined(separator: ", "))")
            return nil
        }
        return text
    }

    mutating func integer(_ field: String, required: Bool, in range: ClosedRange<Int64>) -> Int64? {
        guard let value = take(field, required: required) else { return nil }
        guard let integer = value.integerValue, range.contains(integer) else {
            fail(field, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return integer
    }

    /// A date in either form: `YYYY-MM-DD`, or the number that answers have for it.
    mutating func date(_ field: String, required: Bool) -> CalendarDate? {
        guard let value = take(field, required: required) else { return nil }
        guard let date = dates.date(value), date.year >= 1000 else {
            fail(
                field,
                "must be a date, as in \"1995-12-01\", from the year 1000 on; or the number that answers have for it")
            return nil
        }
        return date
    }
}

extension DateEncoding {
    /// A date in either form: `YYYY-MM-DD`, or the number that answers have for it; `nil` if it is none.
    func date(_ value: JSONValue) -> CalendarDate? {
        if case .string(let text) = value { return CalendarDate(iso: text) }
        return value.integerValue.flatMap { date(epochMilliseconds: $0) }
    }
}
