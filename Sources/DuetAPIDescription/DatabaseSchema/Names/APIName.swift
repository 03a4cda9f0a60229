/// Functions that convert the names of tables and columns to names of an API.
///
/// Each function is pure: the result depends only on its arguments.
public enum APIName {
    /// Returns the name in camelCase: `order_details`, `Order Details` and `OrderDetails` become `orderDetails`,
    /// `HTTPStatus` becomes `httpStatus`, and `OrderID` becomes `orderId`.
    ///
    /// The result consists of ASCII letters and digits and begins with a letter. If the name begins with a digit, `n`
    /// is prepended. Accents are removed (`größe` becomes `grosse`, `naïve` becomes `naive`), and letters of other
    /// scripts are transliterated (`имя` becomes `imya`, `名前` becomes `mingQian`). Other characters separate words,
    /// except apostrophes, which are removed.
    /// - Parameter fallback: The result for a name that contains a letter without a transliteration, or that contains
    ///   no letter or digit; for example `column3`.
    public static func camelCase(_ name: String, fallback: String) -> String {
        guard let words = words(of: name), let first = words.first else { return fallback }
        return withLetterInFront(first + words.dropFirst().map(capitalized).joined(), "n")
    }

    /// Returns the words in lower case; `nil` if a letter has no transliteration.
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
