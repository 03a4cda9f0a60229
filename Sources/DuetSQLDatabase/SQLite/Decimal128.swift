/// A decimal number of 128 bits.
struct Decimal128 {
    private let isNegative: Bool
    /// The absolute value, in units of the last digit after the decimal point.
    private let units: UInt128
    /// The number of digits after the decimal point.
    private let digits: Int

    /// - Parameters:
    ///   - low: The lower 64 bits.
    ///   - high: The upper 64 bits.
    ///   - digits: The number of digits after the decimal point.
    init(low: UInt64, high: Int64, digits: Int) {
        isNegative = high < 0
        let bits = UInt128(truncatingIfNeeded: high) << 64 | UInt128(low)
        units = high < 0 ? 0 &- bits : bits
        self.digits = digits
    }

    private init(isNegative: Bool, units: UInt128, digits: Int) {
        (self.isNegative, self.units, self.digits) = (isNegative, units, digits)
    }

    /// Returns 10 to a power; nil if it exceeds 64 bits.
    static func power(_ exponent: Int) -> Int64? { powers.indices.contains(exponent) ? powers[exponent] : nil }

    private static let powers: [Int64] = (0...18).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

    /// Returns the quotient, rounded half away from zero; nil if the computation exceeds 128 bits.
    func divided(by count: Int, digits: Int) -> Decimal128? {
        var (dividend, divisor) = (units, UInt128(count))
        let factor = digits - self.digits
        guard let power = Self.power(abs(factor)) else { return nil }
        if factor >= 0 {
            let (product, overflow) = dividend.multipliedReportingOverflow(by: UInt128(power))
            guard !overflow else { return nil }
            dividend = product
        } else {
            let (product, overflow) = divisor.multipliedReportingOverflow(by: UInt128(power))
            guard !overflow else { return nil }
            divisor = product
        }
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        // The divisor is less than 2^127, so the doubled remainder does not overflow.
        let isRoundedUp = remainder << 1 >= divisor
        return Decimal128(isNegative: isNegative, units: quotient + (isRoundedUp ? 1 : 0), digits: digits)
    }

    /// Calls a closure with the text of the number.
    /// - Parameter scale: The minimum number of digits after the decimal point. Zeros that follow are omitted; nil to
    ///   omit none.
    func withText<Result>(scale: Int? = nil, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // A number of 128 bits has at most 39 digits. A sign, a zero and a point can be added.
        withUnsafeTemporaryAllocation(byteCount: 48 + digits, alignment: 8) { buffer in
            var position = buffer.count
            var (rest, fraction, count) = (units, digits, 0)
            func write(_ byte: UInt8) {
                position -= 1
                buffer[position] = byte
            }
            while rest > 0 || count <= digits {
                let digit: UInt128
                if rest > UInt128(UInt64.max) {
                    (rest, digit) = rest.quotientAndRemainder(dividingBy: 10)
                } else {
                    let (quotient, remainder) = UInt64(truncatingIfNeeded: rest).quotientAndRemainder(dividingBy: 10)
                    (rest, digit) = (UInt128(quotient), UInt128(remainder))
                }
                count += 1
                if digit == 0, let scale, fraction > scale, position == buffer.count {
                    fraction -= 1
                } else {
                    write(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
                }
                if count == digits, fraction > 0 { write(UInt8(ascii: ".")) }
            }
            if isNegative, units > 0 { write(UInt8(ascii: "-")) }
            return body(UnsafeRawBufferPointer(rebasing: buffer[position...]))
        }
    }
}
