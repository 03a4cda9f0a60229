/// A text pattern. `*` matches any number of characters, `\*` matches an asterisk, and `\\` matches a backslash.
///
/// SQLite's GLOB and MariaDB's LIKE with a binary collation both compare code points, so their results are equal. The
/// special characters are recognized as code points, even if combining characters follow them.
struct TextPattern {
    private enum Part {
        case wildcard
        case scalar(Unicode.Scalar)
    }

    private let parts: [Part]

    init(_ text: String) {
        var parts: [Part] = []
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                if scalar != "*", scalar != "\\" { parts.append(.scalar("\\")) }
                parts.append(.scalar(scalar))
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                parts.append(scalar == "*" ? .wildcard : .scalar(scalar))
            }
        }
        if isEscaped { parts.append(.scalar("\\")) }
        self.parts = parts
    }

    var hasWildcard: Bool { parts.contains { if case .wildcard = $0 { true } else { false } } }

    /// The literal text of a pattern without wildcards.
    var literal: String { written(wildcard: "*") { String($0) } }

    /// The pattern for SQLite's `GLOB`.
    var glob: String {
        written(wildcard: "*") { scalar in
            switch scalar {
            case "*", "?", "[": "[\(scalar)]"
            default: String(scalar)
            }
        }
    }

    /// The pattern for MariaDB's `LIKE … ESCAPE '|'`.
    var like: String {
        written(wildcard: "%") { scalar in
            switch scalar {
            case "%", "_", "|": "|\(scalar)"
            default: String(scalar)
            }
        }
    }

    private func written(wildcard: String, _ text: (Unicode.Scalar) -> String) -> String {
        parts.map { part in
            switch part {
            case .wildcard: wildcard
            case .scalar(let scalar): text(scalar)
            }
        }.joined()
    }
}
