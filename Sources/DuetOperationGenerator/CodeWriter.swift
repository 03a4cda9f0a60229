/// Writes indented Swift source.
struct CodeWriter {
    private(set) var text = ""
    private var depth = 0
    private let access: String

    init(_ accessLevel: GeneratorOptions.AccessLevel) {
        access = accessLevel == .internal ? "" : accessLevel.rawValue + " "
    }

    /// Adds a line. An empty line is not indented.
    mutating func line(_ line: String = "") {
        if !line.isEmpty { text += String(repeating: "    ", count: depth) + line }
        text += "\n"
    }

    /// Adds a declaration. The access level precedes the line.
    mutating func declaration(_ line: String) { self.line(access + line) }

    /// Adds a head and a block in braces.
    mutating func block(_ head: String, _ body: (inout CodeWriter) -> Void) {
        line(head + " {")
        indented(body)
        line("}")
    }

    /// Adds a declaration with a block in braces. The access level precedes the head.
    mutating func declarationBlock(_ head: String, _ body: (inout CodeWriter) -> Void) {
        block(access + head, body)
    }

    /// Adds indented lines.
    mutating func indented(_ body: (inout CodeWriter) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }

    /// Adds a documentation comment: the description, or a default text if there is no description.
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

    /// Adds a call with its parameters or arguments. The call is on one line if this line has at most 120 characters.
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

    /// Adds a declaration with parameters, such as an initializer.
    mutating func declaredCall(_ head: String, _ parameters: [String], _ tail: String) {
        call(access + head, parameters, tail)
    }
}
