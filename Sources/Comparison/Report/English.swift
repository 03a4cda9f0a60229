import Foundation

extension FormatStyle where Self == IntegerFormatStyle<Int> {
    /// A report is in English, wherever it is made.
    static var english: IntegerFormatStyle<Int> { IntegerFormatStyle(locale: Locale(identifier: "en_US")) }
}

extension FormatStyle where Self == FloatingPointFormatStyle<Double> {
    /// A report is in English, wherever it is made.
    static var english: FloatingPointFormatStyle<Double> {
        FloatingPointFormatStyle(locale: Locale(identifier: "en_US"))
    }
}

extension Int {
    /// With a comma between thousands.
    var grouped: String { formatted(.english) }

    /// The number with its noun: `1 request`, `1,200 requests`.
    func of(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}

extension [String] {
    /// A list as in a sentence: `a`, `a and b`, `a, b and c`.
    var inWords: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}

extension String {
    /// With a capital letter at the start of a sentence.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
