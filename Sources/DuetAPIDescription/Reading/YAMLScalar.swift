/// The value of a scalar according to the core schema of YAML 1.2 (yaml.org/spec/1.2.2, section 10.3). In that schema,
/// `yes`, `1:30` and `2024-01-31` are texts. Unlike in that schema, octal and hexadecimal numbers, infinity and NaN are
/// also texts here.
enum YAMLScalar {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer above the largest `Int64`.
    case unsigned(UInt64)
    case double(Double)
    case text(String)

    /// Creates the value of an unquoted text.
    init(plain text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .bool(true)
        case "false", "False", "FALSE": self = .bool(false)
        default: self = Self.number(text) ?? .text(text)
        }
    }

    private static func number(_ text: String) -> YAMLScalar? {
        guard let first = text.utf8.first, signs.contains(first) || digits.contains(first),
            text.utf8.allSatisfy({ digits.contains($0) || signs.contains($0) || exponents.contains($0) }),
            text.utf8.contains(where: digits.contains)
        else { return nil }
        if let integer = Int64(text) { return .integer(integer) }
        if let integer = UInt64(text) { return .unsigned(integer) }
        return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let signs = [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ".")]
    private static let exponents = [UInt8(ascii: "e"), UInt8(ascii: "E")]
}
