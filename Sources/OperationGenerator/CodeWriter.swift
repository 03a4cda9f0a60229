/// Collects lines of Swift with their indentation.
struct CodeWriter {
    private(set) var text = ""
    private var depth = 0
    private let access: String

    init(_ accessLevel: GeneratorOptions.AccessLevel) {
        access = accessLevel == .internal ? "" : accessLevel.rawValue + " "
    }

    /// Adds a line; an empty one has no indentation.
    mutating func line(_ line: String = "") {
        if !line.isEmpty { text += String(repeating: "    ", count: depth) + line }
        text += "\n"
    }

    /// Adds a declaration with its access level.
    mutating func declaration(_ line: String) { self.line(access + line) }

    /// Adds lines in braces.
    mutating func block(_ head: String, _ body: (inout CodeWriter) -> Void) {
        line(head + " {")
        indented(body)
        line("}")
    }

    /// Adds a declaration with lines in braces.
    mutating func declarationBlock(_ head: String, _ body: (inout CodeWriter) -> Void) {
        block(access + head, body)
    }

    /// Adds lines with more indentation.
    mutating func indented(_ body: (inout CodeWriter) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }

    /// Adds a documentation comment: the schema's description, or another text where it has none.
    mutating func documentation(_ description: String?, else text: String? = nil, deprecated reason: String? = nil) {
        var paragraphs: [String] = []
        if let description, !description.isEmpty {
            paragraphs.append(description)
        } else if let text {
            paragraphs.append(text)
        }
        if let reason { paragraphs.append("- Warning: Deprecated. \(reason)") }
        for (index, paragraph) in paragraphs.enumerated() {
            if index > 0 { line("///") }
            for part in paragraph.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                line(part.isEmpty ? "///" : "/// " + part)
            }
        }
    }

    /// Adds the parameters or arguments of a call, on one line if there is room.
    mutating func call(_ head: String, _ arguments: [String], _ tail: String) {
        let width = depth * 4 + head.count + tail.count + arguments.reduce(0) { $0 + $1.count + 2 }
        guard width > 120, !arguments.isEmpty else { return line(head + arguments.joined(separator: ", ") + tail) }
        line(head)
        indented { writer in
            for (index, argument) in arguments.enumerated() {
                writer.line(argument + (index == arguments.count - 1 ? "" : ","))
            }
        }
        line(tail)
    }

    /// Adds a declared call, such as an initializer.
    mutating func declaredCall(_ head: String, _ parameters: [String], _ tail: String) {
        call(access + head, parameters, tail)
    }
}
