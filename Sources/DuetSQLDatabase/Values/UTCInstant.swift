/// A point in time in UTC, between the years 0 and 9999. The fraction of a second has all its decimal digits, so the
/// conversion from a stored number and back returns the same number.
package struct UTCInstant: Sendable, Hashable {
    /// The number of whole seconds since 1970-01-01; negative for earlier instants.
    let seconds: Int64
    /// The digits after the decimal point of the seconds, as a number without trailing zeros.
    private let fraction: UInt64
    /// The number of digits of ``fraction``, including leading zeros.
    private let digits: Int

    /// The maximum number of digits after the decimal point.
    package static let maximumDigits = 18
    /// The maximum number of bytes that ``write(to:)`` writes.
    package static let maximumSize = 20 + maximumDigits

    private static let range = Int64(-719_528) * 86_400..<Int64(2_932_897) * 86_400

    private init?(seconds: Int64, fraction: UInt64, digits: Int) {
        guard Self.range.contains(seconds), digits <= Self.maximumDigits else { return nil }
        var (fraction, digits) = (fraction, digits)
        while digits > 0, fraction.isMultiple(of: 10) {
            fraction /= 10
            digits -= 1
        }
        (self.seconds, self.fraction, self.digits) = (seconds, fraction, digits)
    }

    // MARK: Numbers

    /// A number that represents an instant: the number of units since an epoch.
    package struct Unit: Sendable, Hashable {
        /// The epoch, in seconds since 1970-01-01.
        package let epoch: Int64
        /// The number of units in a second, as a power of ten.
        package let digits: Int

        /// - Parameters:
        ///   - epoch: The epoch, in seconds since 1970-01-01.
        ///   - digits: The number of units in a second, as a power of ten: 3 for milliseconds.
        package init(epoch: Int64, digits: Int) {
            self.epoch = epoch
            self.digits = digits
        }
    }

    /// Creates the instant for a number of units; nil if the year is not in 0…9999.
    package init?(_ number: Int64, _ unit: Unit) {
        let scale = Self.powers[unit.digits]
        var (whole, rest) = number.quotientAndRemainder(dividingBy: scale)
        if rest < 0 {
            whole -= 1
            rest += scale
        }
        let (seconds, isOverflow) = whole.addingReportingOverflow(unit.epoch)
        guard !isOverflow else { return nil }
        self.init(seconds: seconds, fraction: UInt64(rest), digits: unit.digits)
    }

    /// Creates the instant for a number of units, with the shortest decimal digits that identify the number; nil if the
    /// year is not in 0…9999, or if the number has more digits than ``maximumDigits``.
    package init?(_ number: Double, _ unit: Unit) {
        guard number.isFinite, number.magnitude < 1e18 else { return nil }
        let text = number.magnitude.description
        let parts = text.split(separator: "e")
        guard let mantissa = parts.first, let exponent = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
        let point = mantissa.firstIndex(of: ".") ?? mantissa.endIndex
        let places = mantissa.distance(from: mantissa.startIndex, to: point) + exponent - unit.digits
        var all = mantissa.filter { $0 != "." }
        while all.last == "0", all.count > max(1, places) { all.removeLast() }
        if places < 0 { all.insert(contentsOf: String(repeating: "0", count: min(-places, 40)), at: all.startIndex) }
        if places > all.count { all.append(contentsOf: String(repeating: "0", count: places - all.count)) }
        let whole = all.prefix(max(0, places))
        let rest = all.dropFirst(max(0, places))
        guard rest.count <= Self.maximumDigits, let magnitude = Int64(whole.isEmpty ? "0" : whole),
            let fraction = UInt64(rest.isEmpty ? "0" : rest)
        else { return nil }
        if number >= 0 || fraction == 0 {
            self.init(
                seconds: (number < 0 ? -magnitude : magnitude) + unit.epoch, fraction: fraction, digits: rest.count)
        } else {
            let complement = UInt64(Self.powers[rest.count]) - fraction
            self.init(seconds: -magnitude - 1 + unit.epoch, fraction: complement, digits: rest.count)
        }
    }

    /// Returns the number of units: an integer or, if the instant has a fraction of a unit, a floating-point number.
    package func number(of unit: Unit) -> SQLValue {
        let whole = seconds - unit.epoch
        if digits <= unit.digits {
            let (units, isOverflow) = whole.multipliedReportingOverflow(by: Self.powers[unit.digits])
            if !isOverflow { return .integer(units + Int64(fraction) * Self.powers[unit.digits - digits]) }
        }
        // The decimal point moves to the right by the digits of the unit.
        let isNegative = whole < 0
        let magnitude = isNegative ? -whole - (fraction == 0 ? 0 : 1) : whole
        let rest = isNegative && fraction > 0 ? UInt64(Self.powers[digits]) - fraction : fraction
        let text = "\(isNegative ? "-" : "")\(magnitude).\(Self.padded(rest, digits))e\(unit.digits)"
        return .double(Double(text) ?? .nan)
    }

    private static let powers: [Int64] = (0...maximumDigits).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

    private static func padded(_ number: UInt64, _ digits: Int) -> String {
        guard digits > 0 else { return "0" }
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    // MARK: Julian days

    /// Creates the instant for a Julian day, the number of days since noon on 24 November 4714 BC (Gregorian). It is
    /// rounded to milliseconds, as in SQLite (sqlite.org/lang_datefunc.html).
    package init?(julianDay: Double) {
        let milliseconds = ((julianDay - 2_440_587.5) * 86_400_000).rounded()
        guard milliseconds.magnitude < 1e15 else { return nil }
        self.init(Int64(milliseconds), Unit(epoch: 0, digits: 3))
    }

    // MARK: Texts

    /// Parses a date with a time and an offset from UTC: `2011-09-06 06:00:00.25+00:00`. The separator of the time is a
    /// space or a `T`, a space may precede the offset, and the offset is `Z`, `+HH:MM`, `+HHMM` or `+HH`.
    package init?(text bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 20, let day = CalendarDate(isoBytes: UnsafeRawBufferPointer(rebasing: bytes[..<10])),
            bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T")
        else { return nil }
        func number(_ start: Int) -> Int64? {
            guard start + 1 < bytes.count else { return nil }
            let (tens, ones) = (bytes[start] &- 0x30, bytes[start + 1] &- 0x30)
            return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
        }
        guard let hour = number(11), bytes[13] == UInt8(ascii: ":"), let minute = number(14),
            bytes[16] == UInt8(ascii: ":"), let second = number(17), hour < 24, minute < 60, second < 60
        else { return nil }
        var position = 19
        var (fraction, digits): (UInt64, Int) = (0, 0)
        if bytes[position] == UInt8(ascii: ".") {
            position += 1
            while position < bytes.count, bytes[position] &- 0x30 < 10 {
                guard digits < Self.maximumDigits else { return nil }
                fraction = fraction * 10 + UInt64(bytes[position] &- 0x30)
                digits += 1
                position += 1
            }
            guard digits > 0 else { return nil }
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
        guard position < bytes.count else { return nil }
        var shift: Int64 = 0
        switch bytes[position] {
        case UInt8(ascii: "Z"):
            guard position + 1 == bytes.count else { return nil }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard let hours = number(position + 1) else { return nil }
            let rest = bytes.count - position - 3
            let minutes: Int64?
            switch rest {
            case 0: minutes = 0
            case 2: minutes = number(position + 3)
            case 3: minutes = bytes[position + 3] == UInt8(ascii: ":") ? number(position + 4) : nil
            default: minutes = nil
            }
            guard let minutes, hours < 24, minutes < 60 else { return nil }
            shift = (hours * 60 + minutes) * (bytes[position] == UInt8(ascii: "-") ? -60 : 60)
        default: return nil
        }
        self.init(
            seconds: Int64(day.daysSinceEpoch) * 86_400 + hour * 3_600 + minute * 60 + second - shift,
            fraction: fraction, digits: digits)
    }

    /// The instant as a text in UTC without an offset: `2011-09-06 06:00:00.25`. The texts of two instants have the
    /// order of the instants.
    package var text: String {
        withUnsafeTemporaryAllocation(byteCount: Self.maximumSize, alignment: 1) { buffer in
            guard let target = buffer.baseAddress else { return "" }
            let count = write(to: target, separator: UInt8(ascii: " "))
            return String(decoding: UnsafeRawBufferPointer(start: target, count: count), as: UTF8.self)
        }
    }

    /// Writes the instant in UTC without an offset, and without the fraction if it is zero.
    /// - Parameters:
    ///   - target: Memory for ``maximumSize`` bytes.
    ///   - separator: The character between the date and the time.
    /// - Returns: The number of written bytes.
    package func write(to target: UnsafeMutableRawPointer, separator: UInt8) -> Int {
        let day = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
        let time = seconds - day * 86_400
        var position = 0
        func put(_ byte: UInt8) {
            target.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
            position += 1
        }
        func put(_ number: Int64) {
            put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
            put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
        }
        let (year, month, dayOfMonth) = CalendarDate(daysSinceEpoch: Int32(day)).components
        put(Int64(year / 100))
        put(Int64(year % 100))
        put(UInt8(ascii: "-"))
        put(Int64(month))
        put(UInt8(ascii: "-"))
        put(Int64(dayOfMonth))
        put(separator)
        put(time / 3_600)
        put(UInt8(ascii: ":"))
        put(time / 60 % 60)
        put(UInt8(ascii: ":"))
        put(time % 60)
        guard digits > 0 else { return position }
        put(UInt8(ascii: "."))
        var rest = fraction
        for place in stride(from: digits - 1, through: 0, by: -1) {
            target.storeBytes(
                of: UInt8(ascii: "0") + UInt8(rest % 10), toByteOffset: position + place, as: UInt8.self)
            rest /= 10
        }
        return position + digits
    }
}
