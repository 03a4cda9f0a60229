import DuetJSON

/// The values of a record of CSV (RFC 4180).
enum ImportCSV {
    /// Reads the values. An empty value without quotes is nil.
    /// - Parameter values: Receives the values, which replace those of an earlier record.
    /// - Throws: ``ServiceError`` with the code `malformed-body`.
    static func read(_ record: ImportBytes.Record, into values: inout [String?]) throws {
        let bytes = record.bytes
        values.removeAll(keepingCapacity: true)
        var position = 0
        func fault(_ message: String) -> ServiceError {
            ServiceError(malformed: message, line: record.line, column: values.count + 1)
        }
        func text(_ bytes: some Sequence<UInt8>) throws -> String {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw fault("the value is not UTF-8") }
            return text
        }
        while true {
            let start = position
            if position < bytes.count, bytes[position] == quote {
                position += 1
                var hasQuotes = false
                while position < bytes.count {
                    if bytes[position] == quote {
                        guard position + 1 < bytes.count, bytes[position + 1] == quote else { break }
                        hasQuotes = true
                        position += 1
                    }
                    position += 1
                }
                guard position < bytes.count else { throw fault("a quote is not closed") }
                let content = UnsafeRawBufferPointer(rebasing: bytes[start + 1..<position])
                position += 1
                guard position == bytes.count || bytes[position] == comma else {
                    throw fault("a comma or the end of the line must follow a closing quote")
                }
                values.append(try hasQuotes ? text(withoutDoubledQuotes(content)) : text(content))
            } else {
                while position < bytes.count, bytes[position] != comma {
                    guard bytes[position] != quote, bytes[position] != carriageReturn else {
                        throw fault("a value with a quote or a line break must be in quotes")
                    }
                    position += 1
                }
                let content = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
                if content.isEmpty { values.append(nil) } else { values.append(try text(content)) }
            }
            if position == bytes.count { return }
            position += 1
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let carriageReturn = UInt8(ascii: "\r")

    private static func withoutDoubledQuotes(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isSecond = false
        for byte in bytes {
            isSecond = byte == quote && !isSecond
            if byte != quote || isSecond { result.append(byte) }
        }
        return result
    }
}
