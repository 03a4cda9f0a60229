/// The type of the values of a field, for the SQL functions `duet_stored` and `duet_canonical`. A column of SQLite can
/// have values of other types.
package enum StoredValueType: Sendable, Hashable {
    /// No value has this type.
    case none
    /// Whole numbers; if `isSafe`, those within ±(2^53 − 1).
    case integer(isSafe: Bool)
    /// Finite numbers.
    case number
    /// Exact decimal numbers, as numbers or as texts of digits.
    case decimal
    /// 0 and 1.
    case boolean
    /// Texts in UTF-8.
    case text
    /// Blobs that contain texts in UTF-8.
    case bytesOfText
    /// UUIDs, as texts.
    case uuid
    /// Times of day, as texts.
    case time
    /// Dates in a form.
    case date(StoredDateForm)

    /// The type as an argument of the functions.
    package var code: Int64 {
        switch self {
        case .none: 0
        case .integer(let isSafe): isSafe ? 1 : 2
        case .number: 3
        case .decimal: 4
        case .boolean: 5
        case .text: 6
        case .bytesOfText: 7
        case .uuid: 8
        case .time: 9
        case .date(let form): 10 | form.code << 8
        }
    }

    /// Creates the type for a ``code``.
    @inline(__always)
    init(code: Int64) {
        switch code & 0xFF {
        case 1: self = .integer(isSafe: true)
        case 2: self = .integer(isSafe: false)
        case 3: self = .number
        case 4: self = .decimal
        case 5: self = .boolean
        case 6: self = .text
        case 7: self = .bytesOfText
        case 8: self = .uuid
        case 9: self = .time
        case 10: self = StoredDateForm(code: code >> 8).map { .date($0) } ?? .none
        default: self = .none
        }
    }

    /// Returns true if a value that is not NULL has the type. The rules are those of the values in responses.
    func contains(_ value: ColumnValue) -> Bool {
        switch (self, value) {
        case (.integer(let isSafe), .integer(let integer)): !isSafe || integer.magnitude < 1 << 53
        case (.number, .integer), (.decimal, .integer): true
        case (.number, .double(let double)), (.decimal, .double(let double)): double.isFinite
        case (.decimal, .text(let bytes)): DecimalText(bytes) != nil
        case (.boolean, .integer(let integer)): 0...1 ~= integer
        case (.text, .text(let bytes)), (.bytesOfText, .blob(let bytes)): Self.isUTF8(bytes)
        case (.uuid, .text(let bytes)): Self.isUUID(bytes)
        case (.time, .text(let bytes)): TimeText.isTime(bytes)
        case (.date(.text), .text(let bytes)) where bytes.count == 10: false
        case (.date(let form), _): form.time(value) { _ in 0 } != nil
        default: false
        }
    }

    /// Returns the text that all spellings of a value have in common. Its order is the order of the values. Returns nil
    /// if the value has only one spelling, or does not have the type.
    func canonicalText(of value: ColumnValue) -> String? {
        switch (self, value) {
        case (.uuid, .text(let bytes)):
            guard Self.isUUID(bytes) else { return nil }
            return String(decoding: bytes.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
        case (.time, .text(let bytes)): return TimeText.canonical(bytes)
        case (.date(.offset), .text(let bytes)): return UTCInstant(text: bytes)?.text
        case (.date(.julianDays), .integer(let days)): return UTCInstant(julianDay: Double(days))?.text
        case (.date(.julianDays), .double(let days)): return UTCInstant(julianDay: days)?.text
        case (.date(.text(_, let isUTC)), .text(let bytes)):
            // Without the Z, the order of the texts is that of the times, also with different fractions.
            return TimeText.withoutZeros(isUTC ? bytes.dropLast() : bytes[...])
        default: return nil
        }
    }

    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.allSatisfy({ $0 < 0x80 }) { return true }
        // An invalid sequence is replaced.
        return String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    /// Returns true for 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
    private static func isUUID(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == 36
            && bytes.indices.allSatisfy { index in
                switch (index, bytes[index]) {
                case (8, let byte), (13, let byte), (18, let byte), (23, let byte): byte == UInt8(ascii: "-")
                case (_, 0x30...0x39), (_, 0x41...0x46), (_, 0x61...0x66): true
                default: false
                }
            }
    }
}

/// Times of day as texts: `12:34`, `12:34:56`, `-838:59:59.000001`.
enum TimeText {
    /// Returns true for a time of day or a duration.
    static func isTime(_ bytes: UnsafeRawBufferPointer) -> Bool { parts(bytes) != nil }

    /// Returns the time with seconds, and without zeros at the end of its fraction and before its hours; nil for any
    /// other text.
    static func canonical(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard let (isNegative, time) = parts(bytes) else { return nil }
        let zero = UInt8(ascii: "0")
        // An hour of three digits.
        let isLong = time.count > 3 && time[time.startIndex + 2] != UInt8(ascii: ":")
        let text = withoutZeros(isLong && time.first == zero ? time.dropFirst() : time)
        return (isNegative ? "-" : "") + text + (time.count < 7 ? ":00" : "")
    }

    /// Returns a text without the zeros at the end of its fraction.
    static func withoutZeros(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        var end = bytes.endIndex
        if bytes.contains(UInt8(ascii: ".")) {
            while end > bytes.startIndex, bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
            if end > bytes.startIndex, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// Returns the sign and the rest of a time.
    private static func parts(
        _ bytes: UnsafeRawBufferPointer
    ) -> (isNegative: Bool, time: Slice<UnsafeRawBufferPointer>)? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let time = isNegative ? bytes.dropFirst() : bytes[...]
        let isLong = time.count > 3 && time[time.startIndex + 2] != UInt8(ascii: ":") && isDigit(time[time.startIndex])
        let text = isLong ? time.dropFirst() : time
        let start = text.startIndex
        func pair(_ offset: Int) -> Bool { isDigit(text[start + offset]) && isDigit(text[start + offset + 1]) }
        func colon(_ offset: Int) -> Bool { text[start + offset] == UInt8(ascii: ":") }
        switch text.count {
        case 5: return pair(0) && colon(2) && pair(3) ? (isNegative, time) : nil
        case 8...:
            guard pair(0), colon(2), pair(3), colon(5), pair(6) else { return nil }
            let fraction = text[(start + 8)...]
            let isValid =
                fraction.isEmpty
                || fraction.first == UInt8(ascii: ".") && fraction.count > 1 && fraction.dropFirst().allSatisfy(isDigit)
            return isValid ? (isNegative, time) : nil
        default: return nil
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
