/// A place in a document as a person counts: the first character is line 1, column 1. Columns count UTF-16 code units, as
/// editors and other GraphQL servers do.
public struct SourceLocation: Sendable, Hashable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int

    /// That line and column.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension SourceLocation: Comparable {
    /// The order of the text.
    public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// The bytes a node was read from, as offsets into its source.
public struct SourceRange: Sendable, Hashable {
    /// The first byte.
    public var start: UInt32
    /// The byte after the last one.
    public var end: UInt32

    /// The bytes from `start` up to, not including, `end`.
    public init(start: UInt32, end: UInt32) {
        self.start = start
        self.end = end
    }

    /// What a node has that was made by a program.
    public static let none = SourceRange(start: 0, end: 0)
}
