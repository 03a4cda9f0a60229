import DuetJSON
import DuetSQLDatabase
import Foundation

/// The position of a row in a list: the values of the order columns in this row. A cursor is opaque to clients and is
/// valid only for its list.
struct Cursor: Sendable, Hashable {
    /// The position in one order column.
    enum Position: Sendable, Hashable {
        case value(SQLValue)
        /// The digest of a long value of SQLite. The statement reads the value from the row with the key in the cursor.
        case digest(String)
    }

    let positions: [Position]

    /// The maximum length of the text in bytes. A longer text is rejected without decoding.
    private static let maximumLength = 8_192

    /// The maximum number of bytes of all values in JSON. The text of the cursor is longer by a third, because it is
    /// encoded in base64.
    private static let maximumSize = 5_600

    init(values: [SQLValue]) {
        positions = values.map { .value($0) }
    }

    /// Returns the text of the cursor.
    /// - Parameters:
    ///   - context: The identity of the list: resource, filter and order.
    ///   - order: The columns by which the list is ordered, one for each value.
    func encoded(context: String, order: [OrderColumn]) -> String {
        let elements = zip(positions, order).map { position, column -> JSONValue in
            switch position {
            case .digest(let digest): return ["digest": .string(digest)]
            case .value(let value):
                let element = Self.element(value, column.type)
                guard column.permitsDigest, let digest = value.digest,
                    element.compactText.utf8.count > Self.maximumSize / order.count
                else { return element }
                return ["digest": .string(digest)]
            }
        }
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
        guard text.utf8.count <= Self.maximumLength,
            let positions = Self.positions(of: text, context: context, order: order)
        else {
            throw ServiceError(
                .invalidCursor,
                "this cursor does not belong to this list; use the cursor of the previous page of the same list, with the same filter and order",
                parameter: "after")
        }
        self.positions = positions
    }

    /// The error for a cursor whose row has changed, so that the position of the row is unknown.
    static let changed = ServiceError(
        .invalidCursor,
        "the row of this cursor has changed or was deleted, and its position is not known; read the list from its first page",
        parameter: "after")

    private static func positions(of text: String, context: String, order: [OrderColumn]) -> [Position]? {
        var base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard let data = Data(base64Encoded: base64), let value = try? JSONValue(parsing: data),
            case .array(let elements) = value, elements.count == order.count + 1,
            elements[0] == .integer(Int64(fingerprint(context)))
        else { return nil }
        var positions: [Position] = []
        for (element, column) in zip(elements.dropFirst(), order) {
            if case .object(let object) = element, case .string(let digest)? = object["digest"] {
                guard column.permitsDigest else { return nil }
                positions.append(.digest(digest))
            } else if let value = Self.value(of: element, column) {
                positions.append(.value(value))
            } else {
                return nil
            }
        }
        return positions
    }

    /// Returns the value of an element; nil if the column cannot have it.
    private static func value(of element: JSONValue, _ column: OrderColumn) -> SQLValue? {
        switch (element, column.type) {
        case (.null, _): return column.isNullable ? .null : nil
        case (.object, _) where column.number != nil: return nil
        case (.string(let text), .decimal) where column.number != nil && !ValueReader.isDecimal(text): return nil
        case (.object(let object), _): return Self.value(of: object)
        case (.integer(let days), .date):
            guard let days = Int32(exactly: days), (-719_528...2_932_896).contains(days) else { return nil }
            return .date(CalendarDate(daysSinceEpoch: days))
        case (.integer(let integer), .number): return column.field.stored(.double(Double(integer)))
        case (.integer(let integer), .integer), (.integer(let integer), .bigInteger),
            (.integer(let integer), .decimal), (.integer(let integer), .boolean):
            return .integer(integer)
        case (.double(let double), .number), (.double(let double), .decimal):
            return column.field.stored(.double(double))
        case (.string(let text), .bigInteger):
            guard let integer = UInt64(text) else { return nil }
            return .unsigned(integer)
        case (.string(let text), .binary):
            guard let data = Data(base64Encoded: text) else { return nil }
            return .blob(Array(data))
        case (.string(let text), .decimal): return .decimal(text)
        case (.string(let text), .text), (.string(let text), .identifier), (.string(let text), .choice),
            (.string(let text), .uuid), (.string(let text), .dateTime), (.string(let text), .time),
            (.string(let text), .date):
            return .text(text)
        default: return nil
        }
    }

    /// The 32-bit FNV-1a hash of a context, which is sufficient to distinguish lists.
    private static func fingerprint(_ context: String) -> UInt32 {
        context.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
