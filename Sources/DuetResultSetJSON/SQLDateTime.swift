import DuetSQLDatabase

/// Dates and times in the text format of SQLite and MariaDB: `2024-01-31 12:34:56.123456`.
enum SQLDateTime {
    /// Returns true for a zero date: a date of MariaDB whose month or day is zero. A time can follow the date:
    /// `0000-00-00`, `2024-00-00 00:00:00`.
    static func isZeroDate(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 10, isDate(bytes[..<10]) else { return false }
        return (bytes[5] == zero && bytes[6] == zero) || (bytes[8] == zero && bytes[9] == zero)
    }

    static func isZeroDate(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { isZeroDate(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a date with a time as a JSON string in ISO 8601 format.
    /// - Parameters:
    ///   - form: The expected form of the text. Texts in other forms are rejected, because keys and filters match only
    ///     this form.
    ///   - isUTC: True to write a `Z` at the end.
    ///   - target: Memory for at least three bytes more than the size of the text.
    /// - Returns: The number of written bytes; nil if the text does not have this form.
    static func writeISO(
        _ bytes: UnsafeRawBufferPointer, _ form: DateTimeForm, isUTC: Bool, to target: UnsafeMutableRawPointer
    ) -> Int? {
        var text = bytes[...]
        if form == .utc {
            guard text.last == UInt8(ascii: "Z") else { return nil }
            text.removeLast()
        }
        guard text.count >= 19, text[10] == form.separator,
            CalendarDate(isoBytes: UnsafeRawBufferPointer(rebasing: text[..<10])) != nil,
            isTimeOfDay(text[11...]), hasSeconds(text[11...]) == true
        else {
            return nil
        }
        var output = target
        func put(_ part: some Sequence<UInt8>) {
            for byte in part {
                output.storeBytes(of: byte, as: UInt8.self)
                output += 1
            }
        }
        put(CollectionOfOne(UInt8(ascii: "\"")))
        put(text[..<10])
        put(CollectionOfOne(UInt8(ascii: "T")))
        put(text[11...])
        put((isUTC ? "Z\"" : "\"").utf8)
        return output - target
    }

    /// Returns true for a date with a time in one of the forms `sql`, `iso` and `utc`.
    static func isValid(_ bytes: UnsafeRawBufferPointer, _ form: DateTimeForm) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: bytes.count + 3, alignment: 1) { buffer in
            buffer.baseAddress.map { writeISO(bytes, form, isUTC: true, to: $0) != nil } ?? false
        }
    }

    /// Returns true for a time of day or a duration of MariaDB: `12:34:56`, `-838:59:59.000001`.
    static func isTime(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var text = bytes[...]
        if text.first == UInt8(ascii: "-") { text.removeFirst() }
        if text.count > 3, text[text.startIndex + 2] != UInt8(ascii: ":"), isDigit(text[text.startIndex]) {
            text.removeFirst()
        }
        return hasSeconds(text) != nil
    }

    /// Returns true if the hours, minutes and seconds are in range. The function does not check that the characters are
    /// digits and colons; ``hasSeconds(_:)`` does.
    private static func isTimeOfDay(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.count >= 5 && bytes.prefix(2).lexicographicallyPrecedes("24".utf8)
            && bytes.dropFirst(3).prefix(2).lexicographicallyPrecedes("60".utf8)
            && bytes.dropFirst(6).prefix(2).lexicographicallyPrecedes("60".utf8)
    }

    private static let zero = UInt8(ascii: "0")

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

    /// Returns true for `YYYY-MM-DD`.
    private static func isDate(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.enumerated().allSatisfy { index, byte in
            index == 4 || index == 7 ? byte == UInt8(ascii: "-") : isDigit(byte)
        }
    }

    /// Returns true for `HH:MM:SS` and `HH:MM:SS.FFFFFF`, false for `HH:MM`, and nil for any other text.
    private static func hasSeconds(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool? {
        let start = bytes.startIndex
        func pair(_ offset: Int) -> Bool { isDigit(bytes[start + offset]) && isDigit(bytes[start + offset + 1]) }
        func colon(_ offset: Int) -> Bool { bytes[start + offset] == UInt8(ascii: ":") }
        switch bytes.count {
        case 5: return pair(0) && colon(2) && pair(3) ? false : nil
        case 8...:
            guard pair(0), colon(2), pair(3), colon(5), pair(6) else { return nil }
            let fraction = bytes[(start + 8)...]
            let isValid =
                fraction.isEmpty
                || fraction.first == UInt8(ascii: ".") && fraction.count > 1 && fraction.dropFirst().allSatisfy(isDigit)
            return isValid ? true : nil
        default: return nil
        }
    }
}
