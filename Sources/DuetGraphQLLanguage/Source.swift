internal import Synchronization

/// The text of a document, as UTF-8, and the way from a byte to its line and column.
public final class Source: Sendable {
    /// What the text is called in messages.
    public let name: String
    /// The text.
    public let bytes: [UInt8]
    /// Line and column at every ``stride``th byte, made when the first location is asked for.
    private let checkpoints = Mutex<[Checkpoint]>([])

    private struct Checkpoint {
        var line: UInt32
        var column: UInt32
        /// The byte before was a carriage return, so a newline here begins no further line.
        var afterReturn: Bool
    }

    private static let stride = 1_024

    /// A source of those bytes; whether they are UTF-8 is the parser's concern.
    public init(_ bytes: [UInt8], name: String = "GraphQL request") {
        self.bytes = bytes
        self.name = name
    }

    /// A source of that text.
    public convenience init(_ text: String, name: String = "GraphQL request") {
        self.init(Array(text.utf8), name: name)
    }

    /// Where the byte at that offset is; the end of the text for an offset beyond it. Costs the same anywhere in the text,
    /// once the first call has gone through it.
    public func location(at offset: Int) -> SourceLocation {
        let offset = min(max(offset, 0), bytes.count)
        var point = checkpoint(offset / Self.stride)
        bytes.withUnsafeBufferPointer { Self.walk(&point, over: $0, offset / Self.stride * Self.stride..<offset) }
        return SourceLocation(line: Int(point.line), column: Int(point.column))
    }

    /// Where a node begins.
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
        // Builds for debugging run each step of an iterator as a call, and the schema is walked at each start.
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
                // The first byte of a sequence counts; a sequence of four bytes is a surrogate pair in UTF-16.
                if byte & 0xC0 != 0x80 { point.column += byte >= 0xF0 ? 2 : 1 }
            }
        }
    }
}
