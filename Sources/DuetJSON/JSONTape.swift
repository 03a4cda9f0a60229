/// A JSON text that is validated and indexed, but not decoded. It has one entry for each value and each name.
///
/// A tape is for code that reads only some of the members. Such code creates a `String` or a number only for these
/// members. Indexing a text of 700 kB takes a small fraction of the time for decoding all values.
///
/// If two members have the same name, the first member is used.
public final class JSONTape: Sendable {
    /// The kind of a value.
    public enum Kind: UInt8, Sendable {
        /// The literal `null`.
        case null
        /// The literal `false`.
        case `false`
        /// The literal `true`.
        case `true`
        /// A number without fraction and exponent, in the range of `Int64`.
        case integer
        /// Any other number, in the range of `Double`.
        case number
        /// A text in quotes.
        case string
        /// A list of values: `[…]`.
        case array
        /// A list of names with values: `{…}`.
        case object
    }

    /// An entry: the kind (4 bits), the escape flag of a string (1 bit), and two fields of 28 and 31 bits. For a string
    /// or a number, the fields are the length and the offset of its text. For an array or an object, the fields are the
    /// number of elements or members, and the index of the entry after the end.
    @usableFromInline typealias Entry = UInt64

    @usableFromInline let bytes: [UInt8]
    @usableFromInline let entries: [Entry]

    /// Validates and indexes a text.
    /// - Parameters:
    ///   - bytes: The text, in UTF-8, with fewer than 2^28 bytes.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects.
    /// - Throws: ``JSONError`` if the text is not valid JSON (RFC 8259).
    public init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
        var indexer = JSONIndexer(maximumDepth: maximumDepth, byteCount: bytes.count)
        let failure = bytes.withUnsafeBytes { indexer.index($0) }
        if let failure { throw failure }
        self.bytes = bytes
        entries = indexer.entries
    }

    /// The value of the whole text.
    public var root: Value { Value(tape: self, index: 0) }

    /// The number of bytes of the text.
    public var byteCount: Int { bytes.count }

    /// One value of a text.
    public struct Value: Sendable {
        @usableFromInline let tape: JSONTape
        @usableFromInline let index: Int

        @inlinable init(tape: JSONTape, index: Int) {
            self.tape = tape
            self.index = index
        }

        @inlinable var entry: Entry { tape.entries[index] }

        /// The kind of the value.
        @inlinable public var kind: Kind { JSONTape.kind(entry) }

        /// True for `null`.
        @inlinable public var isNull: Bool { kind == .null }

        /// The number of elements of an array or members of an object; 0 for other values.
        @inlinable public var count: Int { kind.rawValue >= Kind.array.rawValue ? JSONTape.length(entry) : 0 }
    }

    @inlinable static func kind(_ entry: Entry) -> Kind {
        // The indexer writes only valid kinds.
        Kind(rawValue: UInt8(truncatingIfNeeded: entry >> 60)) ?? .null
    }
    static func entry(_ kind: Kind, length: Int, offset: Int, hasEscapes: Bool = false) -> Entry {
        UInt64(kind.rawValue) << 60 | (hasEscapes ? 1 << 59 : 0) | UInt64(length) << 31 | UInt64(offset)
    }

    /// The difference between the entries of arrays or objects with `n + 1` and with `n` elements or members.
    static var oneMember: Entry { 1 << 31 }

    @inlinable static func hasEscapes(_ entry: Entry) -> Bool { entry >> 59 & 1 != 0 }
    @inlinable static func length(_ entry: Entry) -> Int { Int(truncatingIfNeeded: entry >> 31 & 0xFFF_FFFF) }
    @inlinable static func offset(_ entry: Entry) -> Int { Int(truncatingIfNeeded: entry & 0x7FFF_FFFF) }

    /// Returns the index of the entry after a value.
    @inlinable func end(of index: Int) -> Int {
        let entry = entries[index]
        return Self.kind(entry).rawValue >= Kind.array.rawValue ? Self.offset(entry) : index + 1
    }

    /// Returns the text of a string, without quotes and escapes.
    @usableFromInline func string(_ entry: Entry) -> String { bytes.withUnsafeBytes { Self.string(entry, in: $0) } }

    /// Returns the text of a string, without quotes and escapes.
    /// - Parameter text: The bytes from which the indexer created the entry.
    static func string(_ entry: Entry, in text: UnsafeRawBufferPointer) -> String {
        let bytes = Self.bytes(of: entry, in: text)
        return hasEscapes(entry) ? JSONEscapes.text(of: bytes) : String(utf8: bytes)
    }

    /// Returns the bytes of a string without its quotes, or of a number. They can contain escapes.
    static func bytes(of entry: Entry, in text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: text[offset(entry)..<offset(entry) + length(entry)])
    }

    /// Returns the value of an entry of the kind `integer`.
    static func integer(_ entry: Entry, in text: UnsafeRawBufferPointer) -> Int64 {
        let bytes = Self.bytes(of: entry, in: text)
        let isNegative = bytes[0] == UInt8(ascii: "-")
        var magnitude: UInt64 = 0
        // The indexer has checked that these bytes are digits and that the number fits into 64 bits.
        for digit in bytes[(isNegative ? 1 : 0)...] {
            magnitude = magnitude &* 10 &+ UInt64(digit &- UInt8(ascii: "0"))
        }
        return Int64(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
    }

    /// Returns the value of an entry of the kind `number`.
    static func double(_ entry: Entry, in text: UnsafeRawBufferPointer) -> Double {
        // The indexer has checked the number.
        Double(String(utf8: bytes(of: entry, in: text))) ?? 0
    }
}

extension String {
    /// Creates a string from UTF-8.
    init(utf8 bytes: UnsafeRawBufferPointer) {
        self = bytes.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
    }
}

extension JSONTape.Value {
    /// The string, or nil if the value is not a string.
    @inlinable public var string: String? {
        let entry = self.entry
        return JSONTape.kind(entry) == .string ? tape.string(entry) : nil
    }

    /// The Boolean, or nil if the value is not a Boolean.
    @inlinable public var bool: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The integer, or nil if the value is not a 64-bit integer without fraction and exponent.
    public var integer: Int64? {
        let entry = self.entry
        guard JSONTape.kind(entry) == .integer else { return nil }
        return tape.bytes.withUnsafeBytes { JSONTape.integer(entry, in: $0) }
    }

    /// The number, or nil if the value is not a number.
    public var double: Double? {
        let entry = self.entry
        switch JSONTape.kind(entry) {
        case .integer: return tape.bytes.withUnsafeBytes { Double(JSONTape.integer(entry, in: $0)) }
        case .number: return tape.bytes.withUnsafeBytes { JSONTape.double(entry, in: $0) }
        default: return nil
        }
    }

    /// The value as a ``JSONValue``, with all nested values. If two members have the same name, it has the first one.
    public var json: JSONValue {
        if let scalar { return scalar }
        return tape.bytes.withUnsafeBytes { text in
            var builder = JSONValueBuilder(text, tape.entries, at: index)
            return builder.value()
        }
    }

    private var scalar: JSONValue? {
        switch kind {
        case .null: .null
        case .false: .bool(false)
        case .true: .bool(true)
        case .integer: integer.map { .integer($0) }
        case .number: double.map { .double($0) }
        case .string: .string(tape.string(entry))
        case .array, .object: nil
        }
    }

    /// The elements of an array, in order; empty for other values.
    @inlinable public var elements: Elements { Elements(self) }

    /// The members of an object, in order; empty for other values.
    public var members: some Sequence<(name: String, value: JSONTape.Value)> {
        let tape = self.tape
        var cursor = MemberCursor(self)
        return AnyIterator {
            cursor.next().map { (tape.string(tape.entries[$0]), JSONTape.Value(tape: tape, index: $0 + 1)) }
        }
    }

    /// The member with the name, or nil if it does not exist or the value is not an object.
    public subscript(name: String) -> JSONTape.Value? {
        var cursor = MemberCursor(self)
        var name = name
        return name.withUTF8 { cursor.find($0) }
    }

    /// The elements of an array, in order.
    public struct Elements: Sequence, IteratorProtocol {
        @usableFromInline let tape: JSONTape
        @usableFromInline var index: Int
        @usableFromInline var remaining: Int

        @inlinable init(_ value: JSONTape.Value) {
            tape = value.tape
            index = value.index + 1
            remaining = value.kind == .array ? value.count : 0
        }

        /// The number of remaining elements.
        @inlinable public var underestimatedCount: Int { remaining }

        /// The next element.
        @inlinable public mutating func next() -> JSONTape.Value? {
            guard remaining > 0 else { return nil }
            remaining -= 1
            defer { index = tape.end(of: index) }
            return JSONTape.Value(tape: tape, index: index)
        }
    }

    /// A cursor over the members of an object. A lookup is fast if the code requests the members in the order of the
    /// text.
    public struct MemberCursor {
        @usableFromInline let tape: JSONTape
        /// The index of the entry of the first member's name.
        @usableFromInline let first: Int
        /// The index of the entry after the last member.
        @usableFromInline let end: Int
        /// The index of the entry of the next expected member's name.
        @usableFromInline var index: Int

        /// Creates a cursor at the first member of an object. For other values, the cursor has no members.
        @inlinable public init(_ value: JSONTape.Value) {
            tape = value.tape
            first = value.index + 1
            end = value.kind == .object ? value.tape.end(of: value.index) : first
            index = first
        }

        /// Returns the index of the entry of the next member's name.
        @inlinable mutating func next() -> Int? {
            guard index < end else { return nil }
            defer { index = tape.end(of: index + 1) }
            return index
        }

        /// Returns the member with the name: the next member if its name matches, otherwise the first match in the
        /// object. Returns nil if no name matches.
        /// - Parameter name: The name, in UTF-8.
        @inlinable public mutating func find(_ name: UnsafeBufferPointer<UInt8>) -> JSONTape.Value? {
            if index < end, tape.isName(index, name) {
                let value = JSONTape.Value(tape: tape, index: index + 1)
                index = tape.end(of: index + 1)
                return value
            }
            var candidate = first
            while candidate < end {
                if tape.isName(candidate, name) {
                    index = tape.end(of: candidate + 1)
                    return JSONTape.Value(tape: tape, index: candidate + 1)
                }
                candidate = tape.end(of: candidate + 1)
            }
            return nil
        }

        /// Returns the member with the name: the next member if its name matches, otherwise the first match in the
        /// object. Returns nil if no name matches.
        @inlinable public mutating func find(_ name: String) -> JSONTape.Value? {
            var name = name
            return name.withUTF8 { find($0) }
        }
    }
}

extension JSONTape {
    /// Returns true if the string of an entry has the bytes of `name`.
    @inlinable func isName(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = entries[index]
        let length = Self.length(entry)
        if Self.hasEscapes(entry) { return string(entry).utf8.elementsEqual(name) }
        guard length == name.count else { return false }
        let start = Self.offset(entry)
        return bytes.withUnsafeBufferPointer { bytes in
            for position in 0..<length where bytes[start + position] != name[position] { return false }
            return true
        }
    }
}
