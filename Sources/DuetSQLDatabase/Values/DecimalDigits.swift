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
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let integer = rest.prefix(while: Self.isDigit)
        rest = rest[integer.endIndex...]
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix(while: Self.isDigit)
            rest = rest[fraction.endIndex...]
        }
        guard rest.isEmpty, !integer.isEmpty || !fraction.isEmpty else {
            throw DatabaseError(
                .parameter, "a decimal is digits with an optional sign and point, such as -12.50", statement: statement)
        }
        integerCount = integer.drop { $0 == UInt8(ascii: "0") }.count
        fractionCount = fraction.reversed().drop { $0 == UInt8(ascii: "0") }.count
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
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count > 15, parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            return text
        }
        return String(parts[0])
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
