import DuetJSON
import DuetSQLDatabase
import Foundation

/// The position of a row in a list: the values of the order columns in this row. A cursor is opaque to clients and is
/// valid only for its list.
struct Cursor: Sendable, Hashable {
    let values: [SQLValue]

    /// The maximum length of the text in bytes. A longer text is rejected without decoding.
    private static let maximumLength = 8_192

    init(values: [SQLValue]) {
        self.values = values
    }

    /// Returns the text of the cursor.
    /// - Parameters:
    ///   - context: The identity of the list: resource, filter and order.
    ///   - order: The columns by which the list is ordered, one for each value.
    func encoded(context: String, order: [OrderColumn]) -> String {
        let elements = zip(values, order).map { Self.element($0, $1.type) }
        let value = JSONValue.array([.integer(Int64(Self.fingerprint(context)))] + elements)
        return Data(value.compactBytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns a value as JSON. SQLite permits values that do not have the type of their field. For such a value, the
    /// result is an object whose member name is the actual type.
    private static func element(_ value: SQLValue, _ type: FieldType) -> JSONValue {
        switch (value, type) {
        case (.null, _): .null
        case (.integer(let integer), .integer), (.integer(let integer), .bigInteger), (.integer(let integer), .decimal),
            (.integer(let integer), .boolean), (.integer(let integer), .number):
            .integer(integer)
        case (.double(let double), .number) where double.isFinite,
            (.double(let double), .decimal) where double.isFinite:
            .double(double)
        case (.date(let date), .date): .integer(Int64(date.daysSinceEpoch))
        case (.text(let text), .text), (.text(let text), .identifier), (.text(let text), .choice),
            (.text(let text), .uuid),
            (.text(let text), .dateTime), (.text(let text), .time), (.text(let text), .date):
            .string(text)
        case (.text(let text), .decimal) where ValueReader.isDecimal(text): .string(text)
        case (.unsigned(let integer), .bigInteger): .string(String(integer))
        case (.blob, .binary): .string(value.keyText)
        case (.integer, _): ["integer": .string(value.keyText)]
        case (.unsigned, _): ["unsigned": .string(value.keyText)]
        case (.double, _): ["double": .string(value.keyText)]
        case (.date, _): ["date": .string(value.keyText)]
        case (.text(let text), _), (.decimal(let text), _): ["text": .string(text)]
        case (.blob, _): ["blob": .string(value.keyText)]
        }
    }

    /// Returns the value for an object that ``element(_:_:)`` has returned.
    private static func value(of object: JSONObject) -> SQLValue? {
        guard object.members.count == 1, let member = object.members.first, case .string(let text) = member.value else {
            return nil
        }
        return switch member.key {
        case "integer": Int64(text).map { .integer($0) }
        case "unsigned": UInt64(text).map { .unsigned($0) }
        case "double": Double(text).map { .double($0) }
        case "date": CalendarDate(iso: text).map { .date($0) }
        case "text": .text(text)
        case "blob": Data(base64Encoded: text).map { .blob(Array($0)) }
        default: nil
        }
    }

    /// Decodes a cursor.
    /// - Throws: ``ServiceError`` with code `invalid-cursor`.
    init(decoding text: String, context: String, order: [OrderColumn]) throws {
        guard text.utf8.count <= Self.maximumLength, let values = Self.values(of: text, context: context, order: order)
        else {
            throw ServiceError(
                .invalidCursor,
                "this cursor does not belong to this list; use the cursor of the previous page of the same list, with the same filter and order",
                parameter: "after")
        }
        self.values = values
    }

    private static func values(of text: String, context: String, order: [OrderColumn]) -> [SQLValue]? {
        var base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard let data = Data(base64Encoded: base64), let value = try? JSONValue(parsing: data),
            case .array(let elements) = value, elements.count == order.count + 1,
            elements[0] == .integer(Int64(fingerprint(context)))
        else { return nil }
        var values: [SQLValue] = []
        for (element, column) in zip(elements.dropFirst(), order) {
            switch (element, column.type) {
            case (.null, _) where column.isNullable: values.append(.null)
            case (.object(let object), _):
                guard let value = Self.value(of: object) else { return nil }
                values.append(value)
            case (.integer(let days), .date):
                guard let days = Int32(exactly: days), (-719_528...2_932_896).contains(days) else { return nil }
                values.append(.date(CalendarDate(daysSinceEpoch: days)))
            case (.integer(let integer), .number): values.append(column.field.stored(.double(Double(integer))))
            case (.integer(let integer), .integer), (.integer(let integer), .bigInteger),
                (.integer(let integer), .decimal), (.integer(let integer), .boolean):
                values.append(.integer(integer))
            case (.double(let double), .number), (.double(let double), .decimal):
                values.append(column.field.stored(.double(double)))
            case (.string(let text), .bigInteger):
                guard let integer = UInt64(text) else { return nil }
                values.append(.unsigned(integer))
            case (.string(let text), .binary):
                guard let data = Data(base64Encoded: text) else { return nil }
                values.append(.blob(Array(data)))
            case (.string(let text), .decimal): values.append(.decimal(text))
            case (.string(let text), .text), (.string(let text), .identifier), (.string(let text), .choice),
                (.string(let text), .uuid), (.string(let text), .dateTime), (.string(let text), .time),
                (.string(let text), .date):
                values.append(.text(text))
            default: return nil
            }
        }
        return values
    }

    /// The 32-bit FNV-1a hash of a context, which is sufficient to distinguish lists.
    private static func fingerprint(_ context: String) -> UInt32 {
        context.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
