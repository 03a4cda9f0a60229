/// Turns the names of tables and columns into names of an API.
///
/// Each function is pure: a name depends on its arguments alone.
public enum APIName {
    /// Returns the name in camelCase: `order_details`, `Order Details` and `OrderDetails` become `orderDetails`,
    /// `HTTPStatus` becomes `httpStatus`, and `OrderID` becomes `orderId`.
    ///
    /// The result has only ASCII letters and digits and begins with a letter: a name with a digit in front gets an `n`.
    /// Accents are removed (`größe` becomes `grosse`, `naïve` becomes `naive`), and letters of other scripts are transliterated (`имя` becomes
    /// `imya`, `名前` becomes `mingQian`). Signs separate words, except apostrophes, which are dropped.
    /// - Parameter fallback: the result for a name that has a letter that cannot be transliterated, or no letter or digit at all;
    ///   for example `column3`.
    public static func camelCase(_ name: String, fallback: String) -> String {
        guard let words = words(of: name), let first = words.first else { return fallback }
        return withLetterInFront(first + words.dropFirst().map(capitalized).joined(), "n")
    }

    /// The words in lower case; `nil` if a letter cannot be written in ASCII.
    private static func words(of name: String) -> [String]? {
        guard let ascii = Transliteration.ascii(name) else { return nil }
        let bytes = Array(ascii.utf8)
        return WordBoundaries.words(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self).lowercased() }
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private static func withLetterInFront(_ name: String, _ letter: String) -> String {
        name.utf8.first.map { $0 <= UInt8(ascii: "9") } == true ? letter + name : name
    }
}
