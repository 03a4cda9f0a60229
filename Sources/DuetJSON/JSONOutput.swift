/// A destination for JSON (RFC 8259) as bytes.
///
/// A conforming type implements methods that append bytes. The extension of the protocol writes values with these
/// methods, so that all conforming types write the same JSON.
///
/// The caller writes commas and brackets. Only ``write(_:)-(JSONValue)`` writes them itself. Strings are scanned eight
/// bytes at a time for characters that need an escape. U+FFFD replaces invalid UTF-8. NaN and the infinities, which
/// JSON does not support, are written as `null`.
public protocol JSONOutput {
    /// Writes bytes unchanged. They must be valid JSON at their position.
    mutating func write(raw bytes: some Collection<UInt8>)

    /// Writes text unchanged. It must be valid JSON at its position.
    mutating func write(raw text: StaticString)

    /// Writes one byte unchanged, such as a comma.
    mutating func write(byte: UInt8)

    /// Writes the bytes that a closure stores. They must be valid JSON at their position.
    /// - Parameters:
    ///   - count: The maximum number of bytes. The method reserves this space.
    ///   - store: A function that stores the bytes at an address, and returns their number.
    mutating func write(atMost count: Int, _ store: (UnsafeMutableRawPointer) -> Int)
}

extension JSONOutput {
    /// Writes `true` or `false`.
    @inlinable
    public mutating func write(_ value: Bool) { write(raw: value ? "true" : "false") }

    /// Writes `null`.
    @inlinable
    public mutating func writeNull() { write(raw: "null") }

    /// Writes an integer as decimal digits.
    @inlinable
    public mutating func write(_ value: Int64) {
        write(atMost: JSONBytes.longestInteger) { JSONBytes.write(value, to: $0) }
    }

    /// Writes an integer as decimal digits.
    @inlinable
    public mutating func write(_ value: Int) { write(Int64(value)) }

    /// Writes the shortest digits that parse to the same number, or `null` for NaN and the infinities.
    @inlinable
    public mutating func write(_ value: Double) {
        guard value.isFinite else { return writeNull() }
        write(atMost: JSONBytes.longestDouble) { JSONBytes.write(value, to: $0) }
    }

    /// Writes a string literal with its quotes.
    @inlinable
    public mutating func write(_ value: some StringProtocol) {
        var text = String(value)
        text.withUTF8 { write(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string literal with its quotes, from UTF-8 bytes. U+FFFD replaces invalid UTF-8.
    @inlinable
    public mutating func write(utf8 bytes: UnsafeRawBufferPointer) {
        write(atMost: JSONBytes.longestString(utf8Count: bytes.count)) { JSONBytes.write(string: bytes, to: $0) }
    }

    /// Writes the name of a member and the colon: `"name":`.
    @inlinable
    public mutating func write(key: some StringProtocol) {
        write(key)
        write(byte: UInt8(ascii: ":"))
    }

    /// Writes a whole value without white space. The members are in their original order.
    @inlinable
    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: writeNull()
        case .bool(let bool): write(bool)
        case .integer(let integer): write(integer)
        case .double(let double): write(double)
        case .string(let string): write(string)
        case .array(let elements):
            write(byte: UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { write(byte: UInt8(ascii: ",")) }
                write(element)
            }
            write(byte: UInt8(ascii: "]"))
        case .object(let object):
            write(byte: UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { write(byte: UInt8(ascii: ",")) }
                write(key: member.key)
                write(member.value)
            }
            write(byte: UInt8(ascii: "}"))
        }
    }
}
