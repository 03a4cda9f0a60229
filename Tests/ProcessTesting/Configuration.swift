package import Foundation

/// The text of a file of the repository, in which tests replace parts.
package struct Configuration {
    package private(set) var text: String

    package struct Changed: Error {
        package let line: String
    }

    package init(_ path: String) throws {
        text = try Checkout.text(path)
    }

    /// - Throws: ``Changed`` unless the text to replace occurs exactly once.
    package mutating func replace(_ line: String, with other: String) throws {
        guard text.ranges(of: line).count == 1 else { throw Changed(line: line) }
        text = text.replacing(line, with: other)
    }

    package func write(to file: URL) throws {
        try Data(text.utf8).write(to: file)
    }
}
