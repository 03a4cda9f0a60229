/// Validates a JSON text (RFC 8259) and creates the entries of a ``JSONTape``. It is the only parser of JSON: a
/// ``JSONValue`` is created from the entries, too.
///
/// The indexer does not recurse, so a text cannot exhaust the stack.
struct JSONIndexer {
    private(set) var entries: [JSONTape.Entry] = []
    private let maximumDepth: Int
    /// The number of open arrays and objects.
    private var depth = 0
    /// The index of the entry of the innermost open array or object. This entry contains the number of its elements or
    /// members so far, and the index of the entry of the array or object around it.
    private var container = 0
    private var position = 0

    init(maximumDepth: Int, byteCount: Int) {
        self.maximumDepth = maximumDepth
        // A typical text has one value or name for every ten bytes.
        entries.reserveCapacity(byteCount / 10 + 16)
    }

    /// Removes all entries, so that another text can be indexed.
    mutating func removeEntries() {
        entries.removeAll(keepingCapacity: true)
        (depth, container, position) = (0, 0, 0)
    }

    /// Indexes a text.
    /// - Returns: The error if the text is not valid JSON, otherwise nil.
    mutating func index(_ bytes: UnsafeRawBufferPointer) -> JSONError? {
        guard bytes.count < 1 << 28 else {
            return JSONError("the text has \(bytes.count) bytes, more than 268,435,455", at: 0, in: bytes)
        }
        do throws(JSONFault) {
            try run(bytes)
            return nil
        } catch {
            return JSONError(error.message, at: error.position, in: bytes)
        }
    }

    private mutating func run(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        skipSpace(bytes)
        try value(bytes)
        while depth > 0 {
            skipSpace(bytes)
            let entry = entries[container]
            let isObject = JSONTape.kind(entry) == .object
            let byte = position < bytes.count ? bytes[position] : 0
            if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                position += 1
                close()
                continue
            }
            if JSONTape.length(entry) > 0 {
                guard byte == UInt8(ascii: ",") else {
                    throw fault(isObject ? "a comma or } is expected" : "a comma or ] is expected")
                }
                position += 1
                skipSpace(bytes)
            }
            entries[container] += JSONTape.oneMember
            if isObject {
                guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                    throw fault("a name in quotes is expected")
                }
                try string(bytes)
                skipSpace(bytes)
                guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
                    throw fault("a colon is expected")
                }
                position += 1
                skipSpace(bytes)
            }
            try value(bytes)
        }
        skipSpace(bytes)
        guard position == bytes.count else { throw fault("unexpected text follows the value") }
    }

    private func fault(_ message: String) -> JSONFault { JSONFault(message, at: position) }

    @inline(__always)
    private mutating func skipSpace(_ bytes: UnsafeRawBufferPointer) {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    private mutating func append(_ kind: JSONTape.Kind, length: Int = 0, offset: Int = 0, hasEscapes: Bool = false) {
        entries.append(JSONTape.entry(kind, length: length, offset: offset, hasEscapes: hasEscapes))
    }

    private mutating func value(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        guard position < bytes.count else { throw fault("the text ends where a value is expected") }
        switch bytes[position] {
        case UInt8(ascii: "\""): try string(bytes)
        case UInt8(ascii: "{"): try open(.object)
        case UInt8(ascii: "["): try open(.array)
        case UInt8(ascii: "t"): try word("true", .true, bytes)
        case UInt8(ascii: "f"): try word("false", .false, bytes)
        case UInt8(ascii: "n"): try word("null", .null, bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes)
        default: throw fault("a value is expected")
        }
    }

    private mutating func open(_ kind: JSONTape.Kind) throws(JSONFault) {
        guard depth < maximumDepth else { throw fault("the value is nested more than \(maximumDepth) levels deep") }
        append(kind, offset: container)
        container = entries.count - 1
        depth += 1
        position += 1
    }

    private mutating func close() {
        let entry = entries[container]
        entries[container] = JSONTape.entry(
            JSONTape.kind(entry), length: JSONTape.length(entry), offset: entries.count)
        container = JSONTape.offset(entry)
        depth -= 1
    }

    private mutating func word(
        _ word: StaticString, _ kind: JSONTape.Kind, _ bytes: UnsafeRawBufferPointer
    ) throws(JSONFault) {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { throw fault("a value is expected") }
        append(kind)
        position += expected.count
    }

    private mutating func digits(_ bytes: UnsafeRawBufferPointer) -> Int {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        return position - start
    }

    private mutating func number(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        let start = position
        var isInteger = true
        var hasExponent = false
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        let integerDigits = digits(bytes)
        guard integerDigits > 0 else { throw fault("a digit is expected") }
        guard integerDigits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
            throw JSONFault("a number must not have leading zeros", at: start)
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            guard digits(bytes) > 0 else { throw fault("a digit is expected") }
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            hasExponent = true
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            guard digits(bytes) > 0 else { throw fault("a digit is expected") }
        }
        if hasExponent || integerDigits > 18 {
            // Only rare numbers need this conversion: those that may not fit into 64 bits.
            let text = String(utf8: UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
            isInteger = isInteger && Int64(text) != nil
            guard isInteger || Double(text)?.isFinite == true else {
                throw JSONFault("the number is too large", at: start)
            }
        }
        append(isInteger ? .integer : .number, length: position - start, offset: start)
    }

    private mutating func string(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
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
                throw JSONFault("the string is not terminated", at: start - 1)
            }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                append(.string, length: position - start, offset: start, hasEscapes: hasEscapes)
                position += 1
                return
            case UInt8(ascii: "\\"):
                hasEscapes = true
                _ = try JSONEscapes.character(in: bytes, at: &position)
            case 0x00..<0x20: throw fault("a control character in a string must be escaped")
            case 0x20..<0x80: position += 1
            default:
                let length = UTF8Sequence.validLength(in: bytes, at: position)
                guard length > 0 else { throw fault("the string is not valid UTF-8") }
                position += length
            }
        }
    }
}
