import DuetJSON
import Foundation
import SQLDatabase

/// The place where a page ended: the values that its rows are ordered by, in the last row. Opaque to clients, and refused for another
/// list.
struct Cursor: Sendable, Hashable {
    let values: [SQLValue]

    /// The maximum length of the text, in bytes: more than the longest values that a request target has room for.
    private static let maximumLength = 8_192

    init(values: [SQLValue]) {
        self.values = values
    }

    /// - Parameter context: The list: resource, filter and order.
    func encoded(context: String) -> String {
        let elements: [JSONValue] = values.map { value in
            switch value {
            case .integer(let integer): .integer(integer)
            case .double(let double): .double(double)
            case .date(let date): .integer(Int64(date.daysSinceEpoch))
            case .text(let text): .string(text)
            case .null, .blob: .null
            }
        }
        let value = JSONValue.array([.integer(Int64(Self.fingerprint(context)))] + elements)
        return Data(value.compactBytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// - Throws: ``ServiceError`` with code `invalid-cursor`.
    init(decoding text: String, context: String, order: [OrderColumn]) throws {
        guard text.utf8.count <= Self.maximumLength, let values = Self.values(of: text, context: context, order: order)
        else {
            throw ServiceError(
                .invalidCursor,
                "this cursor is not of this list; take it from the page before of the same list, with the same filter and order",
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
            case (.integer(let integer), .integer): values.append(.integer(integer))
            case (.integer(let integer), .number): values.append(.double(Double(integer)))
            case (.double(let double), .number): values.append(.double(double))
            case (.integer(let days), .date):
                guard let days = Int32(exactly: days), (-719_528...2_932_896).contains(days) else { return nil }
                values.append(.date(CalendarDate(daysSinceEpoch: days)))
            case (.string(let text), .text), (.string(let text), .identifier), (.string(let text), .choice):
                values.append(.text(text))
            default: return nil
            }
        }
        return values
    }

    /// FNV-1a, 32 bits: enough to tell lists apart.
    private static func fingerprint(_ context: String) -> UInt32 {
        context.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
