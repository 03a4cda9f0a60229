import DuetJSON

/// The value of a member in a written description.
enum YAMLValue: Sendable {
    /// A text, which is quoted if necessary.
    case text(String)
    /// A YAML scalar or flow collection.
    case plain(String)
    case texts([String])
    /// A mapping on one line, if it is short. The values are YAML.
    case mapping([(name: String, value: String)])
    /// Named mappings, each on a line.
    case block([(name: String, members: [(name: String, value: String)])])

    /// The value on one line.
    var flow: String {
        switch self {
        case .text(let text): YAMLFlow.scalar(text)
        case .plain(let text): text
        case .texts(let texts): YAMLFlow.list(texts)
        case .mapping(let members): YAMLFlow.mapping(members)
        case .block(let entries): YAMLFlow.mapping(entries.map { ($0.name, YAMLFlow.mapping($0.members)) })
        }
    }
}

extension DescriptionMapping {
    /// The members as YAML, in the order in which they are written.
    var yaml: [(name: String, value: String)] { Self.members.values(of: self).map { ($0.name, $0.value.flow) } }
}

/// Formats strings as YAML.
enum YAMLFlow {
    /// The words that YAML 1.1 reads as null or as a Boolean.
    private static let special: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "~"]

    /// Returns a scalar: the text itself if every parser reads it as a string, otherwise the text in double quotes.
    static func scalar(_ text: String) -> String {
        isPlain(text) ? text : quoted(text)
    }

    /// Returns the text as a JSON string, which is valid YAML.
    static func quoted(_ text: String) -> String { JSONValue.string(text).compactText }

    /// Returns `{a: 1, b: 2}`. The values must already be YAML.
    static func mapping(_ members: [(name: String, value: String)]) -> String {
        "{\(members.map { "\(scalar($0.name)): \($0.value)" }.joined(separator: ", "))}"
    }

    /// Returns `[a, b]`.
    static func list(_ texts: [String]) -> String { "[\(texts.map(scalar).joined(separator: ", "))]" }

    /// Returns true if the text consists of letters, digits and a few punctuation characters, so that every parser
    /// reads it as a string.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic, text.utf8.last != UInt8(ascii: " "),
            !special.contains(text.lowercased())
        else { return false }
        return text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || " _-./;()".unicodeScalars.contains($0)
        }
    }
}
