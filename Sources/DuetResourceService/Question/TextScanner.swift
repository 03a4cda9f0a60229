/// Splits a short text of ASCII characters, such as a time, from its beginning to its end. A `Regex` is compiled each
/// time that it is used, which takes longer than the whole request.
struct TextScanner {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    /// True if the whole text has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads one of the characters; nil if the text does not continue with one of them.
    mutating func character(_ allowed: String) -> Character? {
        guard let first = rest.first, allowed.contains(first) else { return nil }
        rest.removeFirst()
        return first
    }

    /// Reads as many digits as possible; nil if the number of digits is not in the range. In this case, nothing is
    /// read.
    mutating func digits(_ count: ClosedRange<Int>) -> Substring? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard count.contains(digits.utf8.count) else { return nil }
        rest = rest[digits.endIndex...]
        return digits
    }

    /// Reads a separator and the digits after it, and returns the digits. If the text does not continue with the
    /// separator, the function returns an empty text.
    /// - Returns: nil for a separator without the required digits.
    mutating func digits(_ count: ClosedRange<Int>, after separator: String) -> Substring? {
        character(separator) == nil ? "" : digits(count)
    }
}
