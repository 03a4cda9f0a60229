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
}

extension JSONValue {
    /// Parses a text as one value.
    ///
    /// The parser is strict: it accepts only RFC 8259, rejects repeated names in an object, and limits the nesting
    /// depth.
    /// - Parameters:
    ///   - bytes: The text, in UTF-8.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects.
    /// - Throws: ``JSONError``.
    public init(parsing bytes: some Sequence<UInt8>, maximumDepth: Int = 64) throws(JSONError) {
        var reader = JSONReader(Array(bytes), maximumDepth: maximumDepth)
        self = try reader.read()
    }
}

/// A recursive-descent parser. Its depth is limited, so a text cannot exhaust the stack.
private struct JSONReader {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0
    private var depth = 0

    init(_ bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    mutating func read() throws(JSONError) -> JSONValue {
        skipSpace()
        let value = try readValue()
        skipSpace()
        guard position == bytes.count else { throw error("unexpected text follows the value") }
        return value
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func error(_ message: String, at place: Int? = nil) -> JSONError {
        let before = bytes[..<min(place ?? position, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return JSONError(message: message, line: line, column: before.count - lineStart + 1)
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func readValue() throws(JSONError) -> JSONValue {
        switch current {
        case UInt8(ascii: "{"): return try readObject()
        case UInt8(ascii: "["): return try readArray()
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try readNumber()
        case nil: throw error("the text ends where a value is expected")
        default: throw error("a value is expected")
        }
    }

    private mutating func readWord(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { throw error("a value is expected") }
        position += expected.count
        return value
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        guard depth <= maximumDepth else { throw error("the value is nested more than \(maximumDepth) levels deep") }
        position += 1
        skipSpace()
    }

    private mutating func readArray() throws(JSONError) -> JSONValue {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        if current == UInt8(ascii: "]") {
            position += 1
            return .array(elements)
        }
        while true {
            elements.append(try readValue())
            skipSpace()
            switch current {
            case UInt8(ascii: ","):
                position += 1
                skipSpace()
            case UInt8(ascii: "]"):
                position += 1
                return .array(elements)
            default: throw error("a comma or ] is expected")
            }
        }
    }

    private mutating func readObject() throws(JSONError) -> JSONValue {
        try enter()
        defer { depth -= 1 }
        var object = JSONObject()
        // A hash set replaces the linear search if the object has many members.
        var seen: Set<UTF8Text> = []
        if current == UInt8(ascii: "}") {
            position += 1
            return .object(object)
        }
        while true {
            guard current == UInt8(ascii: "\"") else { throw error("a name in quotes is expected") }
            let start = position
            let key = try readString()
            let isNew: Bool
            if object.members.count < 8 {
                isNew = object[key] == nil
            } else {
                if seen.isEmpty { seen = Set(object.members.map { UTF8Text($0.key) }) }
                isNew = seen.insert(UTF8Text(key)).inserted
            }
            guard isNew else { throw error("the name \"\(key)\" occurs twice in an object", at: start) }
            skipSpace()
            guard current == UInt8(ascii: ":") else { throw error("a colon is expected") }
            position += 1
            skipSpace()
            object.append(key, try readValue())
            skipSpace()
            switch current {
            case UInt8(ascii: ","):
                position += 1
                skipSpace()
            case UInt8(ascii: "}"):
                position += 1
                return .object(object)
            default: throw error("a comma or } is expected")
            }
        }
    }

    private mutating func readDigits() -> Int {
        let start = position
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        return position - start
    }

    private mutating func readNumber() throws(JSONError) -> JSONValue {
        let start = position
        var isInteger = true
        if current == UInt8(ascii: "-") { position += 1 }
        let leading = current
        let digits = readDigits()
        guard digits > 0 else { throw error("a digit is expected") }
        guard digits == 1 || leading != UInt8(ascii: "0") else {
            throw error("a number must not have leading zeros", at: start)
        }
        if current == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            guard readDigits() > 0 else { throw error("a digit is expected") }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            guard readDigits() > 0 else { throw error("a digit is expected") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text), double.isFinite else { throw error("the number is too large", at: start) }
        return .double(double)
    }

    private mutating func readString() throws(JSONError) -> String {
        let start = position
        position += 1
        skipPlain()
        if current == UInt8(ascii: "\"") {
            // Most strings need no further checks and no decoding.
            defer { position += 1 }
            return String(decoding: bytes[start + 1..<position], as: UTF8.self)
        }
        var text = Array(bytes[start + 1..<position])
        while true {
            guard let byte = current else { throw error("the string is not terminated", at: start) }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try readEscape(into: &text)
            case 0x00..<0x20:
                throw error("a control character in a string must be escaped")
            case 0x20..<0x80:
                let plain = position
                skipPlain()
                text.append(contentsOf: bytes[plain..<position])
            default:
                let place = position
                let length = bytes.withUnsafeBytes { UTF8Sequence.validLength(in: $0, at: place) }
                guard length > 0 else { throw error("the string is not valid UTF-8") }
                text.append(contentsOf: bytes[position..<(position + length)])
                position += length
            }
        }
    }

    /// Skips ASCII characters that need no decoding.
    private mutating func skipPlain() {
        position = bytes.withUnsafeBufferPointer { bytes in
            var place = position
            while place < bytes.count, bytes[place] >= 0x20, bytes[place] < 0x80, bytes[place] != UInt8(ascii: "\""),
                bytes[place] != UInt8(ascii: "\\")
            {
                place += 1
            }
            return place
        }
    }

    private mutating func readEscape(into text: inout [UInt8]) throws(JSONError) {
        let start = position
        position += 1
        let short: UInt8
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): short = bytes[position]
        case UInt8(ascii: "b"): short = 0x08
        case UInt8(ascii: "f"): short = 0x0C
        case UInt8(ascii: "n"): short = 0x0A
        case UInt8(ascii: "r"): short = 0x0D
        case UInt8(ascii: "t"): short = 0x09
        case UInt8(ascii: "u"):
            position += 1
            let unit = try readHexUnit()
            let scalar: UInt32
            if (0xD800...0xDBFF).contains(unit) {
                guard current == UInt8(ascii: "\\"), position + 1 < bytes.count,
                    bytes[position + 1] == UInt8(ascii: "u")
                else { throw error("an unpaired surrogate", at: start) }
                position += 2
                let low = try readHexUnit()
                guard (0xDC00...0xDFFF).contains(low) else { throw error("an unpaired surrogate", at: start) }
                scalar = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            } else {
                scalar = unit
            }
            guard let character = Unicode.Scalar(scalar) else { throw error("an unpaired surrogate", at: start) }
            text.append(contentsOf: UTF8.encode(character).map(Array.init) ?? [])
            return
        default: throw error("an unknown escape sequence", at: start)
        }
        text.append(short)
        position += 1
    }

    private mutating func readHexUnit() throws(JSONError) -> UInt32 {
        guard position + 4 <= bytes.count,
            let text = String(validating: bytes[position..<(position + 4)], as: UTF8.self),
            text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }), let unit = UInt32(text, radix: 16)
        else { throw error("four hexadecimal digits are expected") }
        position += 4
        return unit
    }
}
