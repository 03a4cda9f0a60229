/// The texts by which a SQLite database can store a value of a type that it does not have. It compares them as texts.
struct StoredSpellings {
    /// The texts, in the order of their bytes.
    let texts: [String]

    /// - Returns: nil for a type of which each value has one text.
    init?(_ texts: [String], _ type: FieldType) {
        switch type {
        case .time: self.texts = texts.flatMap(Self.times).sorted()
        case .dateTime: self.texts = texts.flatMap(Self.fractions).sorted()
        case .uuid: self.texts = Set(texts.flatMap { [$0, $0.lowercased(), $0.uppercased()] }).sorted()
        default: return nil
        }
    }

    /// The maximum number of digits of a second: programs write milliseconds, microseconds, or tenths of microseconds.
    private static let fractionDigits = 7

    /// A time with any number of zeros after its fraction, which can be zero itself: `10:00:00`, `10:00:00.0`, ….
    private static func fractions(_ text: String) -> [String] {
        let end = text.hasSuffix("Z") ? "Z" : ""
        let parts = text.dropLast(end.count).split(separator: ".")
        var digits = parts.count > 1 ? String(parts[1]) : ""
        while digits.last == "0" { digits.removeLast() }
        return (digits.count...max(digits.count, fractionDigits)).map { count in
            let zeros = String(repeating: "0", count: count - digits.count)
            return parts[0] + (count == 0 ? "" : ".") + digits + zeros + end
        }
    }

    /// A time of day, also without seconds if they are zero: `10:00`, `10:00:00`, ….
    private static func times(_ text: String) -> [String] {
        let spellings = fractions(text.split(separator: ":").count == 2 ? text + ":00" : text)
        return (spellings[0].hasSuffix(":00") ? [String(spellings[0].dropLast(3))] : []) + spellings
    }
}
