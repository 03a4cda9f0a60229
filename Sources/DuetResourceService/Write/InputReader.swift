import DuetGraphQL
import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// A value in the input of a write: JSON in the body of a REST request, or a coerced argument in GraphQL.
protocol WriteInput {
    /// The members of an object in their order; nil for any other value.
    var inputMembers: [(name: String, value: Self)]? { get }
    /// The value as JSON.
    var json: JSONValue { get }
}

extension JSONValue: WriteInput {
    var inputMembers: [(name: String, value: JSONValue)]? {
        if case .object(let object) = self { object.members.map { ($0.key, $0.value) } } else { nil }
    }

    var json: JSONValue { self }
}

extension Value: WriteInput {
    var inputMembers: [(name: String, value: Value)]? {
        if case .object(let object) = self { Array(object) } else { nil }
    }

    var json: JSONValue { JSONValue(self) }
}

/// Reads the values of a row from the input of a write: the body in REST, or the argument `input` in GraphQL. The
/// reader collects the errors of all invalid members, so that one response reports all of them.
struct InputReader {
    private let dates: DateEncoding
    private var errors: [ServiceError.FieldError] = []

    /// Returns the values of an input.
    /// - Parameters:
    ///   - hook: The rules for combinations of values; nil if there are none.
    ///   - ignored: The names of the members that are not values of the row.
    ///   - omitsNull: True if a member that is null has the meaning of a missing member.
    /// - Throws: ``ServiceError`` with the code `malformed-body` if the input is not an object, or `validation-failed`
    ///   with all invalid, unknown and missing members.
    static func values(
        of input: some WriteInput, for write: Write, _ hook: (any ChangeHook)?, dates: DateEncoding,
        ignoring ignored: [String] = [], omitsNull: Bool = false
    ) throws -> RowValues {
        guard let members = input.inputMembers else {
            throw ServiceError(.malformedBody, "the body must be a JSON object, not \(input.json.typeName)")
        }
        var reader = InputReader(dates: dates)
        let given = members.filter { member in !ignored.contains { $0.hasSameUTF8(as: member.name) } }
        return try reader.read(write, given, hook, omitsNull: omitsNull)
    }

    private init(dates: DateEncoding) {
        self.dates = dates
    }

    private mutating func read<Given: WriteInput>(
        _ write: Write, _ members: [(name: String, value: Given)], _ hook: (any ChangeHook)?, omitsNull: Bool
    ) throws -> RowValues {
        var values = RowValues()
        for input in write.input {
            let name = input.field.name
            let given = members.first { $0.name.hasSameUTF8(as: name) }?.value.json
            guard let given, !(omitsNull && given == .null) else {
                if input.isRequired { fail(name, "is missing") }
                continue
            }
            values[name] = value(given, of: input.field)
        }
        hook?.validate(values, &errors)
        let known = write.input.map(\.field.name).sorted()
        for member in members where !known.contains(where: { $0.hasSameUTF8(as: member.name) }) {
            fail(member.name, "is unknown; valid members are \(known.joined(separator: ", "))")
        }
        guard errors.isEmpty else { throw ServiceError(invalid: errors) }
        return values
    }

    private mutating func fail(_ field: String, _ message: String) {
        errors.append(ServiceError.FieldError(field: field, message: message))
    }

    private mutating func value(_ value: JSONValue, of field: Field) -> SQLValue? {
        switch field.type {
        case .text(let maximumLength): return text(value, field.name, maximumLength: maximumLength).map { .text($0) }
        case .identifier(let length):
            guard let text = text(value, field.name, maximumLength: length) else { return nil }
            guard ValueReader.isIdentifier(text, length) else {
                fail(field.name, "must be \(ValueReader.requirement(of: field.type))")
                return nil
            }
            return .text(text)
        case .choice(let choice):
            let names = choice.values.map(\.name)
            guard case .string(let text) = value, names.contains(text) else {
                fail(field.name, "must be one of \(names.joined(separator: ", "))")
                return nil
            }
            return .text(text)
        case .integer(let range):
            guard let integer = value.integerValue, range.contains(integer) else {
                fail(field.name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
                return nil
            }
            return .integer(integer)
        case .number:
            switch value {
            case .integer(let integer): return .double(Double(integer))
            case .double(let double): return .double(double)
            default:
                fail(field.name, "must be a number, not \(value.typeName)")
                return nil
            }
        case .date:
            guard let date = dates.date(value), date.year >= 1000 else {
                let numbers = dates.isText ? "" : ", or the number that represents it in responses"
                fail(field.name, "must be a date in the year 1000 or later, such as \"1995-12-01\"\(numbers)")
                return nil
            }
            return .date(date)
        default:
            // Bodies have the restriction of MariaDB on every database: a time has at most six fraction digits.
            let values = ValueReader(dates: dates, dialect: .mariaDB)
            guard let known = try? values.value(value, of: field, field.name) else {
                fail(field.name, "must be \(ValueReader.requirement(of: field.type))")
                return nil
            }
            return known
        }
    }

    private mutating func text(_ value: JSONValue, _ field: String, maximumLength: Int?) -> String? {
        guard case .string(let text) = value else {
            fail(field, "must be a string, not \(value.typeName)")
            return nil
        }
        let length = text.unicodeScalars.count
        if let maximumLength, !(1...maximumLength).contains(length) {
            fail(field, "must have 1 to \(maximumLength) characters, not \(length)")
            return nil
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            fail(field, "must not contain control characters")
            return nil
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            fail(field, "must not be blank")
            return nil
        }
        return text
    }
}

extension ServiceError {
    /// Creates the error for invalid members of an input.
    public init(invalid fields: [FieldError]) {
        let names = fields.map(\.field).joined(separator: ", ")
        self.init(.validationFailed, "the body has invalid members: \(names)", fields: fields)
    }
}
