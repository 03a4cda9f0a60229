/// Validates a JSON text (RFC 8259) and creates the entries of a ``JSONTape``.
///
/// The indexer does not recurse: an array contains the open arrays and objects, so a text cannot exhaust the stack.
struct JSONIndexer {
    private(set) var entries: [JSONTape.Entry] = []
    private let maximumDepth: Int
    /// The open arrays and objects. Each has the index of its entry, and the number of its elements or members so far.
    private var open: [(entry: Int, count: UInt64, isObject: Bool)] = []
    private var position = 0

    init(maximumDepth: Int, byteCount: Int) {
        self.maximumDepth = maximumDepth
        // A typical text has one value or name for every ten bytes.
        entries.reserveCapacity(byteCount / 10 + 16)
    }

    private struct Failure: Error {
        let message: String
        let position: Int
    }

    /// Indexes a text.
    /// - Returns: The error if the text is not valid JSON, otherwise nil.
    mutating func index(_ bytes: UnsafeRawBufferPointer) -> JSONError? {
        guard bytes.count < 1 << 28 else {
            return JSONError(message: "the text has \(bytes.count) bytes, more than 268,435,455", line: 1, column: 1)
        }
        do throws(Failure) {
            try run(bytes)
            return nil
        } catch {
            let before = bytes[..<min(error.position, bytes.count)]
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            return JSONError(message: error.message, line: line, column: before.count - lineStart + 1)
        }
    }

    private mutating func run(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        skipSpace(bytes)
        try value(bytes)
        while let container = open.last {
            skipSpace(bytes)
            guard position < bytes.count else {
                throw Failure(message: "the text ends inside an array or object", position: position)
            }
            let byte = bytes[position]
            if byte == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                position += 1
                close()
                continue
            }
            if container.count > 0 {
                guard byte == UInt8(ascii: ",") else {
                    throw failure(container.isObject ? "a comma or } is expected" : "a comma or ] is expected")
                }
                position += 1
                skipSpace(bytes)
            }
            open[open.count - 1].count += 1
            if container.isObject {
                guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                    throw failure("a name in quotes is expected")
                }
                try string(bytes)
                skipSpace(bytes)
                guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
                    throw failure("a colon is expected")
                }
                position += 1
                skipSpace(bytes)
            }
            try value(bytes)
        }
        skipSpace(bytes)
        guard position == bytes.count else { throw failure("unexpected text follows the value") }
    }

    private func failure(_ message: String) -> Failure { Failure(message: message, position: position) }

    @inline(__always)
    private mutating func skipSpace(_ bytes: UnsafeRawBufferPointer) {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    private mutating func append(_ kind: JSONTape.Kind, length: Int = 0, offset: Int = 0, hasEscapes: Bool = false) {
        entries.append(
            UInt64(kind.rawValue) << 60 | (hasEscapes ? 1 << 59 : 0) | UInt64(length) << 31 | UInt64(offset))
    }

    private mutating func close() {
        let container = open.removeLast()
        let kind: JSONTape.Kind = container.isObject ? .object : .array
        entries[container.entry] = UInt64(kind.rawValue) << 60 | container.count << 31 | UInt64(entries.count)
    }

    private mutating func value(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard position < bytes.count else { throw failure("the text ends where a value is expected") }
        switch bytes[position] {
        case UInt8(ascii: "\""): try string(bytes)
        case UInt8(ascii: "{"): try enter(isObject: true)
        case UInt8(ascii: "["): try enter(isObject: false)
        case UInt8(ascii: "t"): try word("true", .true, bytes)
        case UInt8(ascii: "f"): try word("false", .false, bytes)
        case UInt8(ascii: "n"): try word("null", .null, bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes)
        default: throw failure("a value is expected")
        }
    }

    private mutating func enter(isObject: Bool) throws(Failure) {
        guard open.count < maximumDepth else {
            throw failure("the value is nested more than \(maximumDepth) levels deep")
        }
        open.append((entries.count, 0, isObject))
        append(isObject ? .object : .array)
        position += 1
    }

    private mutating func word(
        _ word: StaticString, _ kind: JSONTape.Kind, _ bytes: UnsafeRawBufferPointer
    ) throws(Failure) {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { throw failure("a value is expected") }
        append(kind)
        position += expected.count
    }

    private mutating func digits(_ bytes: UnsafeRawBufferPointer) -> Int {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        return position - start
    }

    private mutating func number(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        let start = position
        var isInteger = true
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        let integerDigits = digits(bytes)
        guard integerDigits > 0 else { throw failure("a digit is expected") }
        guard integerDigits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
            throw Failure(message: "a number must not have leading zeros", position: start)
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            guard digits(bytes) > 0 else { throw failure("a digit is expected") }
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            guard digits(bytes) > 0 else { throw failure("a digit is expected") }
        }
        if !isInteger || integerDigits > 18 {
            // Only rare numbers need this conversion: fractions, exponents, and numbers that may not fit into 64 bits.
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            isInteger = isInteger && Int64(text) != nil
            guard isInteger || Double(text)?.isFinite == true else {
                throw Failure(message: "the number is too large", position: start)
            }
        }
        append(isInteger ? .integer : .number, length: position - start, offset: start)
    }

    private mutating func string(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        let start = position + 1
        position = start
        var hasEscapes = false
        // The base address is nil only for an empty buffer, which contains no quote.
        guard let base = bytes.baseAddress else { return }
        while true {
            while position + 8 <= bytes.count,
                JSONBytes.isPlain((base + position).loadUnaligned(as: UInt64.self))
            {
                position += 8
            }
            guard position < bytes.count else {
                throw Failure(message: "the string is not terminated", position: start - 1)
            }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                append(.string, length: position - start, offset: start, hasEscapes: hasEscapes)
                position += 1
                return
            case UInt8(ascii: "\\"):
                hasEscapes = true
                guard let end = JSONEscapes.end(of: bytes, at: position) else {
                    throw failure("an unknown escape sequence, or an unpaired surrogate")
                }
                position = end
            case 0x00..<0x20: throw failure("a control character in a string must be escaped")
            case 0x20..<0x80: position += 1
            default:
                let length = UTF8Sequence.validLength(in: bytes, at: position)
                guard length > 0 else { throw failure("the string is not valid UTF-8") }
                position += length
            }
        }
    }
}
