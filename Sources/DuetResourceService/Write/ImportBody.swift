import DuetJSON

/// The body of an import: rows in a text format.
public struct ImportBody: Sendable {
    /// The format of the rows.
    public enum Format: String, Sendable, CaseIterable {
        /// A JSON object in each line.
        case ndjson = "application/x-ndjson"
        /// Comma-separated values (RFC 4180). The first record contains the names of the fields.
        case csv = "text/csv"
    }

    /// Copies bytes of the body, which begin at an offset, to a buffer. It returns the number of bytes, which is 0 only
    /// at the end of the body. A repetition of the import begins again with the offset 0.
    public typealias Read = @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// The format.
    public let format: Format
    /// The source of the bytes. The service calls it on a thread of the database pool.
    public let read: Read
    /// The idempotency key of the request; nil if there is none.
    package var idempotencyKey: IdempotencyKey?

    /// Creates a body.
    public init(_ format: Format, read: @escaping Read) {
        self.format = format
        self.read = read
    }

    /// Creates a body from bytes in memory.
    public init(_ format: Format, bytes: [UInt8]) {
        self.init(format) { offset, buffer in
            let piece = bytes.dropFirst(offset).prefix(buffer.count)
            buffer.copyBytes(from: piece)
            return piece.count
        }
    }
}

/// Splits the body of an import into records. Only a part of the body is in memory.
final class ImportBytes {
    /// A record without its line break.
    struct Record {
        /// The bytes, which are valid until the next record is read.
        let bytes: UnsafeRawBufferPointer
        /// The number of the line in which the record begins, from 1.
        let line: Int
    }

    private let read: ImportBody.Read
    /// True if a line break in quotes is part of a record.
    private let hasQuotes: Bool
    private var buffer: UnsafeMutableRawBufferPointer
    /// The range of the bytes in the buffer that are not part of an earlier record.
    private var start = 0
    private var end = 0
    /// The offset of the first byte that is not in the buffer.
    private var offset = 0
    private var isAtEnd = false
    private var line = 1

    /// The maximum number of bytes of a record.
    static let maximumRecordSize = 1 << 20
    private static let pieceSize = 64 << 10

    init(_ body: ImportBody) {
        read = body.read
        hasQuotes = body.format == .csv
        buffer = .allocate(byteCount: 2 * Self.pieceSize, alignment: 1)
    }

    deinit { buffer.deallocate() }

    /// Returns the next record; nil at the end of the body.
    /// - Throws: ``ServiceError`` with the code `malformed-body`; an error of the source.
    func next() throws -> Record? {
        if offset == 0 { try skipByteOrderMark() }
        var position = start
        let first = line
        var isQuoted = false
        while true {
            let bytes = UnsafeRawBufferPointer(buffer)
            while position < end {
                let lineBreak = bytes.firstIndex(of: UInt8(ascii: "\n"), in: position..<end)
                if hasQuotes {
                    var rest = position..<(lineBreak ?? end)
                    while let quote = bytes.firstIndex(of: UInt8(ascii: "\""), in: rest) {
                        isQuoted.toggle()
                        rest = quote + 1..<rest.upperBound
                    }
                }
                guard let lineBreak else {
                    position = end
                    break
                }
                position = lineBreak + 1
                line += 1
                if !isQuoted { return record(to: lineBreak, next: position, first) }
            }
            if isAtEnd {
                guard start < end else { return nil }
                guard !isQuoted else {
                    throw ServiceError(
                        malformed: "a quote is not closed before the end of the body", line: first)
                }
                return record(to: end, next: end, first)
            }
            guard end - start < Self.maximumRecordSize else {
                let reason = isQuoted ? "; probably a quote is not closed" : ""
                throw ServiceError(
                    malformed: "the row has more than \(Self.maximumRecordSize) bytes\(reason)", line: first)
            }
            position -= start
            try fill()
        }
    }

    private func record(to end: Int, next: Int, _ line: Int) -> Record {
        var end = end
        if end > start, buffer[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        defer { start = next }
        return Record(bytes: UnsafeRawBufferPointer(rebasing: buffer[start..<end]), line: line)
    }

    /// Moves the remaining bytes to the beginning of the buffer, and reads further bytes.
    private func fill() throws {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
        if rest.count + Self.pieceSize > buffer.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * buffer.count, alignment: 1)
            larger.copyMemory(from: rest)
            buffer.deallocate()
            buffer = larger
        } else if start > 0, let target = buffer.baseAddress, let source = rest.baseAddress {
            // The ranges can overlap.
            target.copyMemory(from: source, byteCount: rest.count)
        }
        (start, end) = (0, rest.count)
        let count = try read(offset, UnsafeMutableRawBufferPointer(rebasing: buffer[end..<end + Self.pieceSize]))
        offset += count
        end += count
        isAtEnd = count == 0
    }

    private func skipByteOrderMark() throws {
        while end < 3, !isAtEnd { try fill() }
        if end >= 3, buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF { start = 3 }
    }
}

extension ServiceError {
    /// Creates the error for the body of an import that does not have its format.
    init(malformed message: String, line: Int, column: Int? = nil) {
        self.init(.malformedBody, "\(Self.place(line, column)): \(message)")
        self.line = line
        self.column = column
    }

    /// Returns a copy for a place in the body of an import.
    func located(line: Int, column: Int? = nil) -> ServiceError {
        var error = self
        error.detail = "\(Self.place(line, column)): \(detail)"
        error.line = line
        error.column = column
        return error
    }

    private static func place(_ line: Int, _ column: Int?) -> String {
        "line \(line)" + (column.map { ", column \($0)" } ?? "")
    }
}
