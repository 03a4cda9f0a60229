/// A JSON text that has been checked and indexed, but not turned into values: one entry for each value and each name.
///
/// It is for readers that know which members they want. They step over all others, and make a `String` or a number only of what they
/// take. A text of 700 kB is indexed in a small part of the time that it takes to make values of all of it.
///
/// Of two members with the same name, the first one counts.
public final class JSONTape: Sendable {
    /// The kind of a value.
    public enum Kind: UInt8, Sendable {
        case null, `false`, `true`, integer, number, string, array, object
    }

    /// An entry: the kind (4 bits), whether a string has escapes (1 bit), and two numbers. For strings and numbers these are length
    /// (28 bits) and offset (31 bits) of the text; for arrays and objects the number of elements and the entry after the end.
    @usableFromInline typealias Entry = UInt64

    @usableFromInline let bytes: [UInt8]
    @usableFromInline let entries: [Entry]

    /// Checks and indexes a text.
    /// - Parameters:
    ///   - bytes: UTF-8, fewer than 2^28 bytes.
    ///   - maximumDepth: the maximum number of arrays and objects inside each other.
    /// - Throws: ``JSONError`` if the text is not JSON (RFC 8259).
    public init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
        var indexer = JSONIndexer(maximumDepth: maximumDepth, byteCount: bytes.count)
        let failure = bytes.withUnsafeBytes { indexer.index($0) }
        if let failure { throw failure }
        self.bytes = bytes
        entries = indexer.entries
    }

    /// The value that the whole text is.
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

        /// Returns true for `null`.
        @inlinable public var isNull: Bool { kind == .null }

        /// The number of elements of an array or members of an object; 0 for other values.
        @inlinable public var count: Int { kind.rawValue >= Kind.array.rawValue ? JSONTape.length(entry) : 0 }
    }

    @inlinable static func kind(_ entry: Entry) -> Kind {
        // The indexer writes no other numbers.
        Kind(rawValue: UInt8(truncatingIfNeeded: entry >> 60)) ?? .null
    }
    @inlinable static func hasEscapes(_ entry: Entry) -> Bool { entry >> 59 & 1 != 0 }
    @inlinable static func length(_ entry: Entry) -> Int { Int(truncatingIfNeeded: entry >> 31 & 0xFFF_FFFF) }
    @inlinable static func offset(_ entry: Entry) -> Int { Int(truncatingIfNeeded: entry & 0x7FFF_FFFF) }

    /// The index of the entry after a value.
    @inlinable func end(of index: Int) -> Int {
        let entry = entries[index]
        return Self.kind(entry).rawValue >= Kind.array.rawValue ? Self.offset(entry) : index + 1
    }

    /// The text of a string, without quotes and escapes.
    @usableFromInline func string(_ entry: Entry) -> String {
        let start = Self.offset(entry)
        let length = Self.length(entry)
        if !Self.hasEscapes(entry) {
            return bytes.withUnsafeBufferPointer {
                String(decoding: UnsafeBufferPointer(rebasing: $0[start..<start + length]), as: UTF8.self)
            }
        }
        return JSONEscapes.text(of: bytes[start..<start + length])
    }
}

extension JSONTape.Value {
    /// The string, if it is one.
    @inlinable public var string: String? {
        let entry = self.entry
        return JSONTape.kind(entry) == .string ? tape.string(entry) : nil
    }

    /// The boolean, if it is one.
    @inlinable public var bool: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The whole number, if it is one of 64 bits without fraction and exponent.
    public var integer: Int64? {
        let entry = self.entry
        guard JSONTape.kind(entry) == .integer else { return nil }
        var magnitude: UInt64 = 0
        let start = JSONTape.offset(entry)
        let isNegative = tape.bytes[start] == UInt8(ascii: "-")
        // The indexer has checked that these are digits, few enough for 64 bits.
        for byte in tape.bytes[(isNegative ? start + 1 : start)..<start + JSONTape.length(entry)] {
            magnitude = magnitude &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
        }
        return isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(exactly: magnitude)
    }

    /// The number, if it is one.
    public var double: Double? {
        let entry = self.entry
        switch JSONTape.kind(entry) {
        case .integer: return integer.map(Double.init)
        case .number:
            let start = JSONTape.offset(entry)
            return Double(String(decoding: tape.bytes[start..<start + JSONTape.length(entry)], as: UTF8.self))
        default: return nil
        }
    }

    /// The value with all that it contains.
    public var json: JSONValue {
        switch kind {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .integer: return integer.map(JSONValue.integer) ?? .null
        case .number: return double.map(JSONValue.double) ?? .null
        case .string: return .string(tape.string(entry))
        case .array: return .array(elements.map(\.json))
        case .object:
            var object = JSONObject()
            for (name, value) in members where object[name] == nil { object[name] = value.json }
            return .object(object)
        }
    }

    /// The elements of an array, in order; none for other values.
    @inlinable public var elements: Elements { Elements(self) }

    /// The members of an object, in order; none for other values.
    public var members: some Sequence<(name: String, value: JSONTape.Value)> {
        let tape = self.tape
        var cursor = MemberCursor(self)
        return AnyIterator {
            cursor.next().map { (tape.string(tape.entries[$0]), JSONTape.Value(tape: tape, index: $0 + 1)) }
        }
    }

    /// The member of that name, if it is an object that has one.
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

        /// The number of elements that are left.
        @inlinable public var underestimatedCount: Int { remaining }

        /// The next element.
        @inlinable public mutating func next() -> JSONTape.Value? {
            guard remaining > 0 else { return nil }
            remaining -= 1
            defer { index = tape.end(of: index) }
            return JSONTape.Value(tape: tape, index: index)
        }
    }

    /// A place among the members of an object, for readers that look for members in the order in which they probably are.
    public struct MemberCursor {
        @usableFromInline let tape: JSONTape
        /// The entry of the first member's name.
        @usableFromInline let first: Int
        /// The entry after the last member.
        @usableFromInline let end: Int
        /// The entry of the name of the member that is expected next.
        @usableFromInline var index: Int

        /// The first member of an object; no member of other values.
        @inlinable public init(_ value: JSONTape.Value) {
            tape = value.tape
            first = value.index + 1
            end = value.kind == .object ? value.tape.end(of: value.index) : first
            index = first
        }

        /// The entry of the next member's name.
        @inlinable mutating func next() -> Int? {
            guard index < end else { return nil }
            defer { index = tape.end(of: index + 1) }
            return index
        }

        /// The member of that name: the next one, if the name is the same, and otherwise the first one of all.
        /// - Parameter name: UTF-8.
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

        /// The member of that name: the next one, if the name is the same, and otherwise the first one of all.
        @inlinable public mutating func find(_ name: String) -> JSONTape.Value? {
            var name = name
            return name.withUTF8 { find($0) }
        }
    }
}

extension JSONTape {
    /// Returns true if the string of an entry has these bytes.
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
