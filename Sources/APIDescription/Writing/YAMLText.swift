import DuetJSON

/// Texts as YAML.
enum YAMLText {
    /// Plain texts that YAML 1.1 reads as something else.
    private static let special: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "~"]

    /// A scalar: the text itself if every reader takes it as a text, else in double quotes.
    static func scalar(_ text: String) -> String {
        isPlain(text) ? text : quoted(text)
    }

    /// The text as JSON has it, which YAML reads, too.
    static func quoted(_ text: String) -> String { JSONValue.string(text).compactText }

    /// `{a: 1, b: 2}`, from names and values that are YAML already.
    static func flow(_ members: [(name: String, value: String)]) -> String {
        "{\(members.map { "\(scalar($0.name)): \($0.value)" }.joined(separator: ", "))}"
    }

    /// `[a, b]`.
    static func list(_ texts: [String]) -> String { "[\(texts.map(scalar).joined(separator: ", "))]" }

    /// Returns true for letters, digits and a few signs in between, so that no reader can see anything but a text.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic, text.utf8.last != UInt8(ascii: " "),
            !special.contains(text.lowercased())
        else { return false }
        return text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || " _-./;()".unicodeScalars.contains($0)
        }
    }
}
