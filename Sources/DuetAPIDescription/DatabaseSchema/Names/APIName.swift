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

// MARK: Singular and plural

extension APIName {
    /// Returns the name with its last word in the singular: `order_details` becomes `order_detail`, and a singular is
    /// unchanged.
    ///
    /// - Returns: `nil` if the singular and the plural of the last word are equal (`series`, `news`, `data`), or if the
    ///   last word does not consist of two or more ASCII letters.
    public static func singular(of name: String) -> String? { inflected(name, EnglishNoun.singular) }

    /// Returns the name with its last word in the plural: `orderDetail` becomes `orderDetails`, and a plural is
    /// unchanged.
    ///
    /// - Returns: `nil` if ``singular(of:)`` returns `nil`.
    public static func plural(of name: String) -> String? { inflected(name, EnglishNoun.plural) }

    private static func inflected(_ name: String, _ inflect: (String) -> String?) -> String? {
        let bytes = Array(name.utf8)
        guard let range = WordBoundaries.words(in: bytes).last, range.count > 1,
            bytes[range].allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) })
        else { return nil }
        let word = String(decoding: bytes[range], as: UTF8.self)
        guard let result = inflect(word.lowercased()) else { return nil }
        let isCapital = !bytes.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
            + withCase(of: word, isCapital: isCapital, result)
            + String(decoding: bytes[range.upperBound...], as: UTF8.self)
    }

    /// Returns the inflected word in the letter case of the original word.
    /// - Parameters:
    ///   - isCapital: True if the original name has no lower-case letter. The returned word is then in upper case.
    ///     Otherwise, the prefix that the inflected word shares with the original word has the original letter case.
    ///   - result: The inflected word in lower case.
    private static func withCase(of word: String, isCapital: Bool, _ result: String) -> String {
        if isCapital { return result.uppercased() }
        let common = zip(word.lowercased(), result).prefix { $0 == $1 }.count
        return String(word.prefix(common) + result.dropFirst(common))
    }
}
