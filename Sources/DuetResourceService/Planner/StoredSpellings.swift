/// The *spellings* of values: the texts that can represent a value in a SQLite database. SQLite has no types for times
/// and UUIDs, and compares them as texts. A comparison must therefore consider all spellings of a value.
struct StoredSpellings {
    /// The texts in the order of their bytes.
    let texts: [String]

    /// Creates the list of all spellings of the given values.
    /// - Returns: `nil` for any type other than a time, a date with a time, or a UUID.
    init?(_ texts: [String], _ type: FieldType) {
        switch type {
        case .time: self.texts = texts.flatMap(Self.times).sorted()
        case .dateTime: self.texts = texts.flatMap(Self.fractions).sorted()
        case .uuid: self.texts = Set(texts.flatMap { [$0, $0.lowercased(), $0.uppercased()] }).sorted()
        default: return nil
        }
    }

    /// The maximum number of fraction digits of a second. Programs store milliseconds, microseconds, or tenths of
    /// microseconds. A value can have more digits.
    private static let fractionDigits = 7

    /// Returns the spellings of a time with different numbers of trailing zeros in its fraction: `10:00:00`,
    /// `10:00:00.0` and so on.
    private static func fractions(_ text: String) -> [String] {
        let end = text.hasSuffix("Z") ? "Z" : ""
        let parts = text.dropLast(end.count).split(separator: ".")
        var digits = parts.count > 1 ? String(parts[1]) : ""
        let last = max(digits.count, fractionDigits)
        while digits.last == "0" { digits.removeLast() }
        return (digits.count...last).map { count in
            let zeros = String(repeating: "0", count: count - digits.count)
            return parts[0] + (count == 0 ? "" : ".") + digits + zeros + end
        }
    }

    /// Returns the spellings of a time of day. Seconds can be omitted if they are zero: `10:00`, `10:00:00` and so on.
    private static func times(_ text: String) -> [String] {
        let spellings = fractions(text.split(separator: ":").count == 2 ? text + ":00" : text)
        return (spellings[0].hasSuffix(":00") ? [String(spellings[0].dropLast(3))] : []) + spellings
    }
}
