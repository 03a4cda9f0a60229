import Foundation

extension FormatStyle where Self == IntegerFormatStyle<Int> {
    /// The format of integers in a report. It does not depend on the user's locale.
    static var english: IntegerFormatStyle<Int> { IntegerFormatStyle(locale: Locale(identifier: "en_US")) }
}

extension FormatStyle where Self == FloatingPointFormatStyle<Double> {
    /// The format of fractional numbers in a report. It does not depend on the user's locale.
    static var english: FloatingPointFormatStyle<Double> {
        FloatingPointFormatStyle(locale: Locale(identifier: "en_US"))
    }
}

extension Int {
    /// The number with commas between thousands.
    var grouped: String { formatted(.english) }

    /// Returns the number with its noun: `1 request`, `1,200 requests`.
    func of(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}

extension [String] {
    /// The elements as a list in a sentence: `a`, `a and b`, `a, b and c`.
    var inWords: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}

extension String {
    /// The string with a capital first letter.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
