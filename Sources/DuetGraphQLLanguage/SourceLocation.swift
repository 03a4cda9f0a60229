/// A location in a document, counted from line 1 and column 1. Columns count UTF-16 code units, as in editors and other
/// GraphQL servers.
public struct SourceLocation: Sendable, Hashable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int

    /// Creates a location from a line and a column.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension SourceLocation: Comparable {
    /// Compares two locations by their order in the text.
    public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// The byte range of a node in the source text.
public struct SourceRange: Sendable, Hashable {
    /// The offset of the first byte.
    public var start: UInt32
    /// The offset after the last byte.
    public var end: UInt32

    /// Creates a range from `start` up to, but not including, `end`.
    public init(start: UInt32, end: UInt32) {
        self.start = start
        self.end = end
    }

    /// The range of a node that was not parsed from a text.
    public static let none = SourceRange(start: 0, end: 0)
}
