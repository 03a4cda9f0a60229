import Foundation

/// Writes names in ASCII.
enum Transliteration {
    /// Scripts other than Latin, Greek and Cyrillic are written as Unicode's transliteration (CLDR, `Any-Latin`) has them. It does not know the
    /// language: Chinese characters have their Mandarin reading in Japanese names, too.
    /// - Returns: ASCII text, with a space in place of a sign outside ASCII; `nil` if a letter or digit cannot be written.
    static func ascii(_ name: String) -> String? {
        byTable(name) ?? name.applyingTransform(.toLatin, reverse: false).flatMap(byTable)
    }

    /// Writes the scripts whose letters have a usual spelling in English.
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

    /// The letter without its accents, in its plain form where it has one (`Ａ`, `ﬁ`, `²`).
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

    /// Letters that are no ASCII letter with an accent. German umlauts are such letters with accents, as in most other
    /// languages.
    private static let letters: [String: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "i\u{307}": "i",
        "ħ": "h",
        "ŋ": "ng", "ŧ": "t", "ə": "e",
        // Greek, by ISO 843.
        "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i", "κ": "k", "λ": "l",
        "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "ς": "s", "τ": "t", "υ": "y", "φ": "f",
        "χ": "ch", "ψ": "ps", "ω": "o",
        // Cyrillic, by the usual English transliteration.
        "а": "a", "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "е": "e", "ё": "e", "є": "ye", "ж": "zh", "з": "z",
        "и": "i", "і": "i", "ї": "yi", "й": "y", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r",
        "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "",
        "ы": "y",
        "ь": "", "э": "e", "ю": "yu", "я": "ya",
    ]
}
