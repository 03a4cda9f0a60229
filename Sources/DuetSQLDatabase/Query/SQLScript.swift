/// A text of several statements separated by semicolons, such as a schema. A semicolon inside quotes or a comment
/// (`-- …`, `# …`, `/* … */`) does not end a statement. Comments are removed, so `# …` is also accepted for SQLite.
public struct SQLScript: Sendable {
    /// The statements without their semicolons; no statement is empty.
    public let statements: [String]

    /// - Throws: ``DatabaseError`` with the code `syntax` for an unterminated quote or comment.
    public init(_ text: String) throws {
        var statements: [String] = []
        var current: [UInt8] = []
        let bytes = Array(text.utf8)
        var position = 0
        func next(_ offset: Int) -> UInt8? { position + offset < bytes.count ? bytes[position + offset] : nil }
        func close() {
            let text = String(decoding: current, as: UTF8.self)
            if text.contains(where: { !$0.isWhitespace }) { statements.append(text.trimmed) }
            current.removeAll(keepingCapacity: true)
        }
        while let byte = next(0) {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
                guard let end = bytes[(position + 1)...].firstIndex(of: byte) else {
                    throw DatabaseError(.syntax, "a quote in the script is never closed")
                }
                current.append(contentsOf: bytes[position...end])
                position = end + 1
            case UInt8(ascii: "["):
                guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "]")) else {
                    throw DatabaseError(.syntax, "a quote in the script is never closed")
                }
                current.append(contentsOf: bytes[position...end])
                position = end + 1
            case UInt8(ascii: "#"),
                UInt8(ascii: "-") where next(1) == UInt8(ascii: "-"):
                position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            case UInt8(ascii: "/") where next(1) == UInt8(ascii: "*"):
                position += 2
                while next(0) != nil, !(next(0) == UInt8(ascii: "*") && next(1) == UInt8(ascii: "/")) { position += 1 }
                guard next(0) != nil else { throw DatabaseError(.syntax, "a comment in the script is never closed") }
                position += 2
                // A comment separates words, so a space replaces it.
                current.append(UInt8(ascii: " "))
            case UInt8(ascii: ";"):
                close()
                position += 1
            default:
                current.append(byte)
                position += 1
            }
        }
        close()
        self.statements = statements
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? endIndex
        return start < end ? String(self[start..<end]) : ""
    }
}
