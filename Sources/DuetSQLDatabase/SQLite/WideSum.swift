/// An exact sum of decimal numbers of any size.
final class WideSum {
    /// The digits of the sum in groups of nine, the least significant group first. Each number is added to the groups
    /// without a carry, so a group can be negative or exceed nine digits.
    private var groups: [Int64] = []
    /// The number of groups after the decimal point.
    private var fractionGroups = 0
    /// The number of additions since the last carry.
    private var additions = 0

    private static let groupDigits = 9
    private static let base: Int64 = 1_000_000_000
    /// Each addition changes a group by less than ``base``, so the group does not overflow.
    private static let maximumAdditions = 1 << 32

    func add(_ number: DecimalText) {
        if additions == Self.maximumAdditions {
            _ = Self.carry(&groups)
            additions = 0
        }
        additions += 1
        // The power of ten of a digit.
        var place = number.integer.count + number.exponent - 1
        reserve(Self.group(number.exponent - number.fraction.count), Self.group(place))
        for digits in [number.integer, number.fraction] {
            for byte in digits {
                let group = Self.group(place)
                let value = Int64(byte - UInt8(ascii: "0")) * Self.power(place - group * Self.groupDigits)
                groups[group + fractionGroups] += number.isNegative ? -value : value
                place -= 1
            }
        }
    }

    /// Returns the group of a digit, relative to the decimal point.
    private static func group(_ place: Int) -> Int {
        place >= 0 ? place / groupDigits : -((groupDigits - 1 - place) / groupDigits)
    }

    private static func power(_ exponent: Int) -> Int64 { Decimal128.power(exponent) ?? 0 }

    private func reserve(_ least: Int, _ greatest: Int) {
        if least < -fractionGroups {
            groups.insert(contentsOf: repeatElement(0, count: -least - fractionGroups), at: 0)
            fractionGroups = -least
        }
        let count = greatest + fractionGroups + 1
        if groups.count < count { groups += repeatElement(0, count: count - groups.count) }
    }

    /// Reduces all groups to nine digits, without a sign. Two more groups have the carry.
    /// - Returns: True if the sum is negative. The groups are then those of the sum plus a power of ``base``.
    private static func carry(_ groups: inout [Int64]) -> Bool {
        groups += [0, 0]
        var carry: Int64 = 0
        for index in groups.indices {
            let sum = groups[index] + carry
            let group = sum % base
            groups[index] = group < 0 ? group + base : group
            carry = (sum - groups[index]) / base
        }
        guard carry < 0, let last = groups.indices.last else { return false }
        // The last group contains the sign, so that the groups remain those of the sum.
        groups[last] -= base
        return true
    }

    /// The sum of the added numbers.
    var total: DecimalTotal {
        var groups = groups
        let isNegative = Self.carry(&groups)
        if isNegative {
            groups = groups.map { -$0 }
            _ = Self.carry(&groups)
        }
        var digits: [UInt8] = []
        for group in groups.reversed() {
            var power = Self.base / 10
            while power > 0 {
                digits.append(UInt8(group / power % 10))
                power /= 10
            }
        }
        return DecimalTotal(
            isNegative: isNegative, digits: digits, fractionCount: fractionGroups * Self.groupDigits)
    }
}

/// A decimal number with any number of digits.
struct DecimalTotal {
    private let isNegative: Bool
    /// The digits, as numbers from 0 to 9.
    private var digits: [UInt8]
    /// The number of digits after the decimal point.
    private var fractionCount: Int

    init(isNegative: Bool, digits: [UInt8], fractionCount: Int) {
        self.isNegative = isNegative
        self.digits = digits
        self.fractionCount = fractionCount
    }

    /// Returns the text of the number.
    /// - Parameter scale: The minimum number of digits after the decimal point. Zeros that follow are omitted.
    func text(scale: Int) -> String {
        var number = self
        number.extend(to: scale)
        while number.fractionCount > scale, number.digits.last == 0 {
            number.digits.removeLast()
            number.fractionCount -= 1
        }
        return number.text
    }

    /// Returns the text of the quotient, rounded half away from zero.
    /// - Parameters:
    ///   - count: The divisor, at most 10^18.
    ///   - scale: The number of digits after the decimal point.
    func divided(by count: Int, scale: Int) -> String {
        var quotient = self
        quotient.extend(to: scale + 1)
        var remainder = 0
        for index in quotient.digits.indices {
            let dividend = remainder * 10 + Int(quotient.digits[index])
            quotient.digits[index] = UInt8(dividend / count)
            remainder = dividend % count
        }
        // The first digit that is not part of the result determines the direction, because exact halves are rounded
        // away from zero.
        let end = quotient.digits.count - quotient.fractionCount + scale
        let roundsUp = quotient.digits[end] >= 5
        quotient.digits.removeSubrange(end...)
        quotient.fractionCount = scale
        if roundsUp { quotient.increment() }
        return quotient.text
    }

    private mutating func extend(to scale: Int) {
        guard fractionCount < scale else { return }
        digits += repeatElement(0, count: scale - fractionCount)
        fractionCount = scale
    }

    /// Adds one to the last digit.
    private mutating func increment() {
        for index in digits.indices.reversed() {
            if digits[index] < 9 {
                digits[index] += 1
                return
            }
            digits[index] = 0
        }
        digits.insert(1, at: 0)
    }

    private var text: String {
        let integer = digits.dropLast(fractionCount).drop { $0 == 0 }
        var bytes: [UInt8] = isNegative && digits.contains { $0 != 0 } ? [UInt8(ascii: "-")] : []
        bytes += integer.isEmpty ? [UInt8(ascii: "0")] : integer.map { $0 + UInt8(ascii: "0") }
        if fractionCount > 0 {
            bytes.append(UInt8(ascii: "."))
            bytes += digits.suffix(fractionCount).map { $0 + UInt8(ascii: "0") }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
