import ProcessTesting
import Testing

/// A fenced block of the README or another document.
struct READMEBlock: Sendable, CustomTestStringConvertible {
    /// The language after the fence: `sh`, `json`.
    let language: String
    let text: String
    /// The response below a block of commands, with `…` for omitted text.
    var answer: String?

    var testDescription: String { text }

    /// Returns the blocks in order. Each response belongs to the preceding commands.
    /// - Parameter document: The path of the document.
    static func all(of document: String = "README.md") throws -> [READMEBlock] {
        var blocks: [READMEBlock] = []
        var isOpen = false
        for line in try Checkout.text(document).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if !isOpen { blocks.append(READMEBlock(language: String(line.dropFirst(3)), text: "")) }
                isOpen.toggle()
            } else if isOpen, let last = blocks.indices.last {
                blocks[last] = READMEBlock(language: blocks[last].language, text: blocks[last].text + line + "\n")
            }
        }
        var joined: [READMEBlock] = []
        for block in blocks {
            if ["json", "http", "csv"].contains(block.language), let last = joined.indices.last {
                joined[last].answer = block.text
            } else {
                joined.append(block)
            }
        }
        return joined
    }

    /// The first words of the lines.
    var commands: [String] {
        text.split(separator: "\n").filter { !$0.hasPrefix(" ") }
            .map { String($0.prefix { $0 != " " }) }
    }

    /// Returns true if a program's output equals the block, except white space and the omitted text at each `…`.
    func shows(_ output: String) -> Bool {
        guard let answer else { return true }
        func dense(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }
        var rest = Substring(dense(output))
        for part in answer.split(separator: "…").map(dense) where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
