/// A decimal number of any size, for exact arithmetic in tests. It has 60 digits after the decimal point, and no carry.
struct ExactDecimal {
    private static let fractionCount = 60
    private static let size = 160
    /// The digits, the least significant one first. A digit can be negative or greater than nine.
    private var digits = [Int](repeating: 0, count: size)

    /// Creates the number of a text such as `-12.50`.
    init(_ text: String) {
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : ""
        var place = Self.fractionCount + parts[0].count
        for digit in (String(parts[0]) + fraction).compactMap(\.wholeNumberValue) {
            place -= 1
            digits[place] = isNegative ? -digit : digit
        }
    }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        for index in sum.digits.indices { sum.digits[index] += right.digits[index] }
        return sum
    }

    static func * (left: Self, factor: Int) -> Self {
        var product = left
        for index in product.digits.indices { product.digits[index] *= factor }
        return product
    }

    static func - (left: Self, right: Self) -> Self { left + right * -1 }

    /// -1, 0 or 1.
    var sign: Int { reduced.sign }
    var magnitude: Self { self * (sign < 0 ? -1 : 1) }

    static func < (left: Self, right: Self) -> Bool { (left - right).sign < 0 }
    static func == (left: Self, right: Self) -> Bool { (left - right).sign == 0 }

    /// The text without zeros at the end of the fraction.
    var text: String {
        let (digits, sign) = reduced
        let text = digits.reversed().map { String($0) }.joined()
        let integer = text.dropLast(Self.fractionCount).drop { $0 == "0" }
        var fraction = text.suffix(Self.fractionCount)
        while fraction.last == "0" { fraction.removeLast() }
        return (sign < 0 ? "-" : "") + (integer.isEmpty ? "0" : integer) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// The digits of the absolute value, each from 0 to 9, and the sign.
    private var reduced: (digits: [Int], sign: Int) {
        for sign in [1, -1] {
            var (reduced, carry) = (digits, 0)
            for index in reduced.indices {
                let sum = reduced[index] * sign + carry
                let digit = (sum % 10 + 10) % 10
                reduced[index] = digit
                carry = (sum - digit) / 10
            }
            if carry == 0 { return (reduced, reduced.contains { $0 != 0 } ? sign : 0) }
        }
        return (digits, 0)
    }

    /// Returns true if this is a quotient, rounded half away from zero to a number of digits after the decimal point.
    func isRounded(_ dividend: Self, by divisor: Int, scale: Int) -> Bool {
        var unit = Self("0")
        unit.digits[Self.fractionCount - scale] = 1
        // The error, multiplied by twice the divisor, is at most the divisor in units of the last digit.
        let doubled = (self * divisor - dividend) * 2
        let excess = (doubled.magnitude - unit * divisor).sign
        return excess < 0 || excess == 0 && (dividend.magnitude - self.magnitude * divisor).sign < 0
    }
}
