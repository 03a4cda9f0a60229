/// An error in a JSON text, with its location.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error.
    public let message: String
    /// The line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int

    /// The message and the location.
    public var description: String { "\(message) at line \(line), column \(column)" }

    /// Creates an error at a position of a text.
    init(_ message: String, at position: Int, in text: UnsafeRawBufferPointer) {
        let before = text[..<min(position, text.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        self.message = message
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = before.count - lineStart + 1
    }
}

/// An error at a position of a text. The line of the position is computed only for the error of the whole text.
struct JSONFault: Error {
    let message: String
    let position: Int

    init(_ message: String, at position: Int) {
        self.message = message
        self.position = position
    }
}
