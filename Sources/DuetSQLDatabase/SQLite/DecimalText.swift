/// A valid text of a decimal number, in the memory of the caller.
struct DecimalText {
    let isNegative: Bool
    /// The digits before the decimal point.
    let integer: UnsafeRawBufferPointer
    /// The digits after the decimal point.
    let fraction: UnsafeRawBufferPointer
    /// The power of ten by which the number is multiplied.
    let exponent: Int

    /// The maximum number of bytes of a text. It is greater than that of any double without an exponent.
    private static let longest = 1_000

    /// Returns nil if the text is not a number: an optional minus sign, and digits with an optional point between two
    /// of them.
    /// - Parameter isLenient: True to accept also a plus sign, a point before or after all digits, and an exponent.
    init?(_ text: UnsafeRawBufferPointer, isLenient: Bool = false) {
        guard text.count <= Self.longest, let first = text.first else { return nil }
        isNegative = first == UInt8(ascii: "-")
        var position = isNegative || isLenient && first == UInt8(ascii: "+") ? 1 : 0
        integer = Self.digits(text, &position)
        if position < text.count, text[position] == UInt8(ascii: ".") {
            position += 1
            fraction = Self.digits(text, &position)
            guard isLenient ? integer.count + fraction.count > 0 : !integer.isEmpty && !fraction.isEmpty else {
                return nil
            }
        } else {
            fraction = UnsafeRawBufferPointer(start: nil, count: 0)
            guard !integer.isEmpty else { return nil }
        }
        if isLenient, position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
            let digits = String(decoding: text[(position + 1)...], as: UTF8.self)
            guard let exponent = Int(digits), abs(exponent) <= Self.longest else { return nil }
            self.exponent = exponent
        } else {
            guard position == text.count else { return nil }
            exponent = 0
        }
    }

    private static func digits(_ text: UnsafeRawBufferPointer, _ position: inout Int) -> UnsafeRawBufferPointer {
        let start = position
        while position < text.count, text[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        return UnsafeRawBufferPointer(rebasing: text[start..<position])
    }

    /// Returns the number in units of 10^-`digits`; nil if it is not a whole number of units, or may exceed 64 bits.
    func units(digits: Int) -> Int64? {
        guard exponent == 0, fraction.count <= digits, integer.count + digits <= 18 else { return nil }
        var units: Int64 = 0
        for byte in integer { units = units * 10 + Int64(byte - UInt8(ascii: "0")) }
        for byte in fraction { units = units * 10 + Int64(byte - UInt8(ascii: "0")) }
        for _ in fraction.count..<digits { units *= 10 }
        return isNegative ? -units : units
    }
}
