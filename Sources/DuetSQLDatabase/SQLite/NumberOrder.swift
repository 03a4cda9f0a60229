internal import CDuetSQLite

/// A form of numbers of any size in which the order of the bytes is the order of the numbers.
///
/// SQLite compares texts of digits as texts, and would round them as numbers. The form consists of a byte for the sign,
/// two bytes for the number of digits before the decimal point, and the digits, without zeros at the beginning and the
/// end. The bytes of a negative number are inverted, and followed by 255.
enum NumberOrder {
    /// `duet_order(value)`. The result for NULL is NULL.
    static let order: SQLiteAggregates.Step = { context, _, arguments in
        guard let value = arguments?[0], sqlite3_value_type(value) != SQLITE_NULL else {
            return sqlite3_result_null(context)
        }
        guard let bytes = NumberOrder.bytes(of: value) else {
            return SQLiteAggregates.fail(context, "a value that is compared is not a number")
        }
        sqlite3_result_blob(context, bytes, Int32(bytes.count), SQLiteAggregates.transient)
    }

    /// Returns the form of a number; nil for any other value.
    static func bytes(of value: OpaquePointer) -> [UInt8]? {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return bytes(String(sqlite3_value_int64(value)))
        case SQLITE_FLOAT: return bytes(sqlite3_value_double(value).description)
        case SQLITE_TEXT:
            let text = sqlite3_value_text(value)
            return bytes(UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
        default: return nil
        }
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
    }

    private static func bytes(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let number = DecimalText(text, isLenient: true) else { return nil }
        let zero = UInt8(ascii: "0")
        let all = Array(number.integer) + Array(number.fraction)
        let digits = all.drop { $0 == zero }
        guard let last = digits.lastIndex(where: { $0 != zero }) else { return [1] }
        let place = number.integer.count + number.exponent - digits.startIndex
        let exponent = UInt16(clamping: place + 0x8000)
        let bytes = [UInt8(exponent >> 8), UInt8(exponent & 0xFF)] + digits[...last]
        return number.isNegative ? [0] + bytes.map { ~$0 } + [255] : [2] + bytes
    }
}
