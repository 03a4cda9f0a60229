import Foundation

/// Transliterates names to ASCII.
enum Transliteration {
    /// Transliterates a name. For scripts other than Latin, Greek and Cyrillic it uses Unicode's transliteration (CLDR,
    /// `Any-Latin`), which does not consider the language: Chinese characters have their Mandarin reading in Japanese
    /// names, too.
    /// - Returns: An ASCII text, with a space for each other character outside ASCII; `nil` if a letter or digit has no
    ///   transliteration.
    static func ascii(_ name: String) -> String? {
        byTable(name) ?? name.applyingTransform(.toLatin, reverse: false).flatMap(byTable)
    }

    /// Transliterates the scripts whose letters have a common English spelling.
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

    /// Returns the letter without its accents and in its plain form (`Ａ`, `ﬁ`, `²`).
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

    /// Letters that are not an ASCII letter with an accent. German umlauts are treated as letters with accents, as in
    /// most other languages.
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
