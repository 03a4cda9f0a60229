internal import DuetJSON
internal import Synchronization

/// The text of a document, as UTF-8. A source maps a byte offset to a line and a column.
public final class Source: Sendable {
    /// The name of the text in messages.
    public let name: String
    /// The text.
    public let bytes: [UInt8]
    /// The line and the column at every ``stride``th byte, computed by the first call of ``location(at:)``.
    private let checkpoints = Mutex<[Checkpoint]>([])

    private struct Checkpoint {
        var line: UInt32
        var column: UInt32
        /// True if the preceding byte is a carriage return. In this case, a newline at this offset does not start
        /// another line.
        var afterReturn: Bool
    }

    private static let stride = 1_024

    /// Creates a source from the bytes. The parser checks that the bytes are UTF-8.
    public init(_ bytes: [UInt8], name: String = "GraphQL request") {
        self.bytes = bytes
        self.name = name
    }

    /// Creates a source from the text.
    public convenience init(_ text: String, name: String = "GraphQL request") {
        self.init(Array(text.utf8), name: name)
    }

    /// Returns true if the text has these bytes.
    package func hasBytes(_ text: UnsafeRawBufferPointer) -> Bool {
        bytes.withUnsafeBytes { $0.hasSameBytes(as: text) }
    }

    /// Returns the message and the offset of the first byte that is not UTF-8; nil if all bytes are valid.
    static func invalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> (message: String, offset: Int)? {
        guard let offset = UTF8Sequence.firstInvalidByte(in: UnsafeRawBufferPointer(bytes)) else { return nil }
        let byte = String(bytes[offset], radix: 16, uppercase: true)
        return ("Invalid character: the byte 0x\(byte) is not valid UTF-8.", offset)
    }

    /// Returns the location of the byte at the offset. For an offset beyond the end, returns the location of the end.
    /// The first call scans the whole text; each later call takes constant time.
    public func location(at offset: Int) -> SourceLocation {
        let offset = min(max(offset, 0), bytes.count)
        var point = checkpoint(offset / Self.stride)
        bytes.withUnsafeBufferPointer { Self.walk(&point, over: $0, offset / Self.stride * Self.stride..<offset) }
        return SourceLocation(line: Int(point.line), column: Int(point.column))
    }

    /// Returns the location at which a node starts.
    public func location(of range: SourceRange) -> SourceLocation { location(at: Int(range.start)) }

    private func checkpoint(_ index: Int) -> Checkpoint {
        checkpoints.withLock { checkpoints in
            if checkpoints.isEmpty {
                var point = Checkpoint(line: 1, column: 1, afterReturn: false)
                checkpoints.reserveCapacity(bytes.count / Self.stride + 1)
                bytes.withUnsafeBufferPointer { bytes in
                    var start = 0
                    while start <= bytes.count {
                        checkpoints.append(point)
                        Self.walk(&point, over: bytes, start..<min(start + Self.stride, bytes.count))
                        start += Self.stride
                    }
                }
            }
            return checkpoints[index]
        }
    }

    private static func walk(_ point: inout Checkpoint, over bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        var index = range.lowerBound
        // A `while` loop avoids an iterator. In a debug build, each step of an iterator is a function call, and a
        // server scans the schema at each start.
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0x0A where point.afterReturn:
                point.afterReturn = false
            case 0x0A, 0x0D:
                point.line += 1
                point.column = 1
                point.afterReturn = byte == 0x0D
            default:
                point.afterReturn = false
                // Only the first byte of a UTF-8 sequence counts. A sequence of four bytes is a surrogate pair in
                // UTF-16.
                if byte & 0xC0 != 0x80 { point.column += byte >= 0xF0 ? 2 : 1 }
            }
        }
    }
}

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
