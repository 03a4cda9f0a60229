import DuetJSON
import DuetSQLDatabase

/// The conversion of values with a declared type to JSON.
extension ValueEncoding {
    /// Writes a value in the format of its declared type.
    /// - Parameter target: Memory for ``longestJSON(_:)`` plus ``ValueFormat/additionalRoom`` bytes.
    /// - Returns: The number of written bytes; nil if the value does not have the declared type.
    func writeJSON(_ value: ColumnValue, as format: ValueFormat, to target: UnsafeMutableRawPointer) -> Int? {
        if case .null = value { return format.isNullable ? writeJSON(value, to: target) : nil }
        switch (format.kind, value) {
        case (.any, _), (.integer, .integer), (.integer, .unsigned), (.number, .integer), (.text, .text),
            (.choice, .text), (.binary, .blob), (.date, .date):
            return writeJSON(value, to: target)
        case (.safeInteger, .integer(let integer)):
            return integer.magnitude < 1 << 53 ? writeJSON(value, to: target) : nil
        case (.integerText, .integer(let integer)):
            return quoted(target) { JSONBytes.write(integer, to: $0) }
        case (.integerText, .unsigned(let integer)):
            return quoted(target) { JSONBytes.write(integer, to: $0) }
        case (.number, .double(let double)): return double.isFinite ? writeJSON(value, to: target) : nil
        case (.decimalText, _):
            guard let digits = DecimalDigits(value, format) else { return nil }
            return quoted(target) { digits.write(to: $0) }
        case (.decimal, _): return DecimalDigits(value, format)?.write(to: target)
        case (.declaredBoolean, .integer(let integer)) where writesBooleans && (0...1).contains(integer):
            return Self.write(integer == 0 ? "false" : "true", to: target)
        case (.declaredBoolean, _): return writeJSON(value, to: target)
        case (.boolean, .integer(let integer)):
            switch integer {
            case 0: return Self.write("false", to: target)
            case 1: return Self.write("true", to: target)
            default: return nil
            }
        case (.timestamp, _) where format.dateTimeForm.isConverted:
            guard let instant = format.dateTimeForm.instant(value) else { return nil }
            return quoted(target) {
                let count = instant.write(to: $0, separator: UInt8(ascii: "T"))
                return count + Self.write("Z", to: $0 + count)
            }
        case (.date, .text(let bytes)), (.dateTime, .text(let bytes)), (.timestamp, .text(let bytes)):
            // A zero date of MariaDB is not a valid date, so it is written as null.
            if format.isNullable, !format.rejectsZeroDates, SQLDateTime.isZeroDate(bytes) {
                return writeJSON(.null, to: target)
            }
            // A column of SQLite whose type is not DATE contains dates as texts.
            guard format.kind != .date else {
                return CalendarDate(isoBytes: bytes).map { writeJSON(.date($0), to: target) }
            }
            return SQLDateTime.writeISO(
                bytes, format.dateTimeForm, isUTC: format.kind == .timestamp, to: target)
        // In a DATE column of SQLite with other texts, too, all values are texts.
        case (.text, .date(let date)): return quoted(target) { date.writeISO(to: $0) }
        case (.dateTime, .date(let date)):
            return quoted(target) { date.writeISO(to: $0) + Self.write("T00:00:00", to: $0 + 10) }
        case (.timestamp, .date(let date)):
            return quoted(target) { date.writeISO(to: $0) + Self.write("T00:00:00Z", to: $0 + 10) }
        case (.time, .text(let bytes)):
            return SQLDateTime.isTime(bytes) ? writeJSON(value, to: target) : nil
        case (.uuid, .text(let bytes)): return Self.isUUID(bytes) ? writeJSON(value, to: target) : nil
        case (.json, .text(let bytes)): return CompactJSON.write(bytes, to: target)
        // SQLite stores a JSON text that consists of digits as a number.
        case (.json, .integer): return writeJSON(value, to: target)
        case (.json, .double(let double)): return double.isFinite ? writeJSON(value, to: target) : nil
        default: return nil
        }
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

    private func quoted(
        _ target: UnsafeMutableRawPointer, _ write: (UnsafeMutableRawPointer) -> Int
    ) -> Int {
        target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        let count = write(target + 1)
        target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: count + 1, as: UInt8.self)
        return count + 2
    }

    private static func write(_ text: StaticString, to target: UnsafeMutableRawPointer) -> Int {
        target.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        return text.utf8CodeUnitCount
    }
}

/// The digits of an exact decimal number in the format of JSON.
private struct DecimalDigits {
    private let bytes: [UInt8]

    /// - Returns: `nil` if the value is not a number.
    init?(_ value: ColumnValue, _ format: ValueFormat) {
        let scale = Int(format.scale)
        var text: [UInt8]
        switch value {
        case .integer(let integer): text = Array(String(integer).utf8)
        case .double(let double):
            guard double.isFinite else { return nil }
            text = Self.withoutExponent(double)
        case .text(let digits):
            guard Self.isDecimal(digits) else { return nil }
            text = Self.withoutLeadingZeros(digits)
        case .unsigned(let integer): text = Array(String(integer).utf8)
        case .null, .date, .blob: return nil
        }
        let point = text.firstIndex(of: UInt8(ascii: "."))
        var fraction = point.map { text.count - $0 - 1 } ?? 0
        while format.omitsZeros, fraction > scale, text.last == UInt8(ascii: "0") {
            text.removeLast()
            fraction -= 1
        }
        if text.last == UInt8(ascii: ".") { text.removeLast() }
        if fraction < scale {
            if point == nil { text.append(UInt8(ascii: ".")) }
            text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: scale - fraction))
        }
        bytes = text
    }

    func write(to target: UnsafeMutableRawPointer) -> Int {
        bytes.withUnsafeBytes { source in
            if let base = source.baseAddress { target.copyMemory(from: base, byteCount: source.count) }
            return source.count
        }
    }

    /// Returns true for digits with an optional minus sign and an optional point with digits.
    private static func isDecimal(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let parts = rest.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// Removes leading zeros. MariaDB returns leading zeros for a `ZEROFILL` column, but JSON does not allow them.
    private static func withoutLeadingZeros(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var digits = bytes[...]
        let sign = digits.first == UInt8(ascii: "-") ? [UInt8(ascii: "-")] : []
        digits = digits.dropFirst(sign.count)
        while digits.count > 1, digits.first == UInt8(ascii: "0"), digits.dropFirst().first != UInt8(ascii: ".") {
            digits.removeFirst()
        }
        return sign + digits
    }

    /// Returns the shortest decimal digits that identify this number, without an exponent and without a zero fraction.
    private static func withoutExponent(_ double: Double) -> [UInt8] {
        var text = Array(double.magnitude.description.utf8)
        var exponent = 0
        if let mark = text.firstIndex(of: UInt8(ascii: "e")) {
            exponent = Int(String(decoding: text[(mark + 1)...], as: UTF8.self)) ?? 0
            text.removeSubrange(mark...)
        }
        let point = text.firstIndex(of: UInt8(ascii: ".")) ?? text.count
        var digits = text.filter { $0 != UInt8(ascii: ".") }
        let place = point + exponent
        if place <= 0 {
            digits.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: 1 - place), at: 0)
        } else if digits.count < place {
            digits.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: place - digits.count))
        }
        let whole = digits[..<max(1, place)]
        var fraction = digits[max(1, place)...]
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        let sign = double < 0 ? [UInt8(ascii: "-")] : []
        return sign + whole + (fraction.isEmpty ? [] : [UInt8(ascii: ".")] + fraction)
    }
}
