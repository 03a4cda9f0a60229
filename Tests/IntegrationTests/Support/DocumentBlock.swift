import ProcessTesting
import Testing

/// A fenced block of a document.
struct DocumentBlock: Sendable, CustomTestStringConvertible {
    /// The word after the fence, such as `sh` or `json`.
    let language: String
    let text: String
    /// The response below a block of commands, with `…` where it is shortened.
    var answer: String?

    var testDescription: String { text }

    /// Returns the blocks in order. A response is part of the block with its commands.
    /// - Parameter document: The path of the document.
    static func all(of document: String) throws -> [DocumentBlock] {
        var blocks: [DocumentBlock] = []
        var isOpen = false
        for line in try Checkout.text(document).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if !isOpen { blocks.append(DocumentBlock(language: String(line.dropFirst(3)), text: "")) }
                isOpen.toggle()
            } else if isOpen, let last = blocks.indices.last {
                blocks[last] = DocumentBlock(language: blocks[last].language, text: blocks[last].text + line + "\n")
            }
        }
        var joined: [DocumentBlock] = []
        for block in blocks {
            if ["json", "http", "csv", "text"].contains(block.language), let last = joined.indices.last {
                joined[last].answer = block.text
            } else {
                joined.append(block)
            }
        }
        return joined
    }

    /// The first word of each line that is not indented.
    var commands: [String] {
        text.split(separator: "\n").filter { !$0.hasPrefix(" ") }
            .map { String($0.prefix { $0 != " " }) }
    }

    /// Returns true if an output contains the documented response, apart from white space and the parts that `…`
    /// replaces.
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
