import Foundation

/// Transliterates names to ASCII.
enum Transliteration {
    /// Transliterates a name. For scripts other than Latin, Greek and Cyrillic, the function uses Unicode's
    /// transliteration (CLDR, `Any-Latin`). This transliteration does not consider the language: Chinese characters in
    /// Japanese names get their Mandarin reading.
    /// - Returns: An ASCII text. A non-ASCII character that is not a letter or digit becomes a space. The result is
    ///   `nil` if a letter or digit has no transliteration.
    static func ascii(_ name: String) -> String? {
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            return name.utf8.contains(UInt8(ascii: "'")) ? name.filter { $0 != "'" } : name
        }
        return byTable(name) ?? name.applyingTransform(.toLatin, reverse: false).flatMap(byTable)
    }

    /// Transliterates Latin, Greek and Cyrillic letters. Returns `nil` if the name contains any other letter or digit
    /// that is not ASCII and that ``letters`` lacks, such as a letter of another script.
    private static func byTable(_ name: String) -> String? {
        let scalars = Array(name.precomposedStringWithCanonicalMapping.unicodeScalars)
        var result = ""
        for (index, scalar) in scalars.enumerated() {
            if scalar == "'" || scalar == "\u{2019}" { continue }
            if scalar.isASCII {
                result.unicodeScalars.append(scalar)
                continue
            }
            let lower = scalar.properties.lowercaseMapping
            if let replacement = letters[lower] {
                let isUpper = lower != String(scalar)
                let isInCapitals = index + 1 < scalars.count && scalars[index + 1].properties.isUppercase
                result +=
                    !isUpper
                    ? replacement
                    : isInCapitals
                        ? replacement.uppercased() : replacement.prefix(1).uppercased() + replacement.dropFirst()
                continue
            }
            guard let plain = withoutMarks(scalar) else { return nil }
            result += plain
        }
        return result
    }

    /// Returns the character without accents and in its compatibility form: `A` for `Ａ`, `fi` for `ﬁ`, `2` for `²`.
    private static func withoutMarks(_ scalar: Unicode.Scalar) -> String? {
        var plain = ""
        for part in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars {
            switch part.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: break
            case _ where part.isASCII: plain.unicodeScalars.append(part)
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spacingMark,
                .decimalNumber, .letterNumber, .otherNumber, .privateUse, .unassigned:
                guard let letter = letters[part.properties.lowercaseMapping] else { return nil }
                plain += letter
            default: plain += " "
            }
        }
        return plain
    }

    /// The transliterations of letters that are not an ASCII letter with an accent. German umlauts are not in the
    /// table: their dots are removed like accents.
    private static let letters: [String: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "i\u{307}": "i",
        "ħ": "h",
        "ŋ": "ng", "ŧ": "t", "ə": "e",
        // Greek, according to ISO 843.
        "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i", "κ": "k", "λ": "l",
        "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "ς": "s", "τ": "t", "υ": "y", "φ": "f",
        "χ": "ch", "ψ": "ps", "ω": "o",
        // Cyrillic, according to the common English transliteration.
        "а": "a", "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "е": "e", "ё": "e", "є": "ye", "ж": "zh", "з": "z",
        "и": "i", "і": "i", "ї": "yi", "й": "y", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r",
        "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "",
        "ы": "y",
        "ь": "", "э": "e", "ю": "yu", "я": "ya",
    ]
}
