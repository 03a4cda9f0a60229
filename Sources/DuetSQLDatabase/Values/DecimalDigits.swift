/// The number of digits of a valid ``SQLValue/decimal(_:)``. The initializer validates the text, because MariaDB
/// silently parses only the numeric prefix of an invalid text.
struct DecimalDigits {
    /// The number of digits before the point, without leading zeros.
    private let integerCount: Int
    /// The number of digits after the point, without trailing zeros.
    private let fractionCount: Int

    /// - Throws: ``DatabaseError`` with the code `parameter` if the text is not a decimal number: an optional sign, and
    ///   digits with an optional decimal point.
    init(_ text: String, statement: String) throws {
        var text = text
        guard let counts = text.withUTF8(Self.counts) else {
            throw DatabaseError(
                .parameter, "a decimal is digits with an optional sign and point, such as -12.50", statement: statement)
        }
        (integerCount, fractionCount) = counts
    }

    /// Returns the number of digits before the point, without leading zeros, and the number of digits after it, without
    /// trailing zeros; nil if the text is not a decimal number.
    private static func counts(_ bytes: UnsafeBufferPointer<UInt8>) -> (integer: Int, fraction: Int)? {
        var (integer, fraction) = (0, 0)
        var position = 0
        var digitCount = 0
        if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position = 1 }
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 {
            if integer > 0 || bytes[position] != UInt8(ascii: "0") { integer += 1 }
            digitCount += 1
            position += 1
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            let start = position
            while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 {
                if bytes[position] != UInt8(ascii: "0") { fraction = position + 1 - start }
                digitCount += 1
                position += 1
            }
        }
        return position == bytes.count && digitCount > 0 ? (integer, fraction) : nil
    }

    /// Throws an error for a number that MariaDB would change. MariaDB clamps a number with too many digits, and rounds
    /// a number with too many digits after the decimal point.
    func checkPrecision(statement: String) throws {
        guard integerCount + fractionCount <= 65, fractionCount <= 38 else {
            throw DatabaseError(
                .parameter, "a decimal has at most 65 digits on MariaDB, 38 of them after the point",
                statement: statement)
        }
    }

    /// Returns the text without a fraction of zeros if the integer has so many digits that a floating-point number may
    /// not represent it: `9007199254740993` for `9007199254740993.00`. Any other text is returned unchanged.
    static func withoutZeroFraction(_ text: String) -> String {
        guard text.utf8.count > 16 else { return text }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count > 15, parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            return text
        }
        return String(parts[0])
    }
}
