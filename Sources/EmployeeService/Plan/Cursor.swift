import DuetJSON
import Foundation
import NIOCore
import SQLDatabase

/// Where a page ended: the values its rows are sorted by, in the last row. Opaque to clients, and refused where it does
/// not belong.
struct Cursor: Sendable, Hashable {
    let values: [SQLValue]

    /// - Parameter context: names the list: resource, filter and order. A cursor of another list is refused.
    func encoded(context: String) -> String {
        var writer = JSONWriter(capacity: 128)
        writer.write(
            .array(
                [.integer(Int64(Self.fingerprint(context)))]
                    + values.map { value in
                        switch value {
                        case .integer(let integer): .integer(integer)
                        case .date(let date): .integer(Int64(date.daysSinceEpoch))
                        case .text(let text): .string(text)
                        case .null, .double, .blob: .null
                        }
                    }))
        return Data(writer.buffer.readableBytesView).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// - Throws: ``ServiceError`` with code `invalid-cursor`.
    init(decoding text: String, context: String, order: [SortColumn]) throws {
        guard text.utf8.count <= 1024, let values = Self.values(of: text, context: context, order: order) else {
            throw ServiceError(
                .invalidCursor,
                "this cursor is not of this list; take it from the page before of the same list, with the same filter and order",
                parameter: "after")
        }
        self.values = values
    }

    init(values: [SQLValue]) {
        self.values = values
    }

    private static func values(of text: String, context: String, order: [SortColumn]) -> [SQLValue]? {
        var base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard let data = Data(base64Encoded: base64), let value = try? JSONValue(parsing: data),
            case .array(let elements) = value, elements.count == order.count + 1,
            elements[0] == .integer(Int64(fingerprint(context)))
        else { return nil }
        var values: [SQLValue] = []
        for (element, column) in zip(elements.dropFirst(), order) {
            switch (element, column.kind) {
            case (.integer(let integer), .integer): values.append(.integer(integer))
            case (.integer(let days), .date):
                guard let days = Int32(exactly: days), (-719_528...2_932_896).contains(days) else { return nil }
                values.append(.date(CalendarDate(daysSinceEpoch: days)))
            case (.string(let text), .text): values.append(.text(text))
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
