/// A place for JSON (RFC 8259) as bytes.
///
/// A conforming type adds bytes at its end. The extension writes values with that, so that all types write the same bytes.
///
/// The caller writes commas and brackets, except through ``write(_:)-(JSONValue)``. Text is scanned eight bytes at a time for
/// characters that need an escape. UTF-8 that is not valid becomes U+FFFD. NaN and the infinities, which JSON does not have,
/// become `null`.
public protocol JSONOutput {
    /// Bytes as they are; must be JSON in their place.
    mutating func write(raw bytes: some Collection<UInt8>)

    /// Text as it is; must be JSON in its place.
    mutating func write(raw text: StaticString)

    /// One byte as it is, such as a comma.
    mutating func write(byte: UInt8)

    /// The bytes that a function stores; must be JSON in their place.
    /// - Parameters:
    ///   - count: the maximum number of bytes, for which there is room.
    ///   - store: stores the bytes at an address, and returns their number.
    mutating func write(atMost count: Int, _ store: (UnsafeMutableRawPointer) -> Int)
}

extension JSONOutput {
    /// `true` or `false`.
    @inlinable
    public mutating func write(_ value: Bool) { write(raw: value ? "true" : "false") }

    /// `null`.
    @inlinable
    public mutating func writeNull() { write(raw: "null") }

    /// Decimal digits.
    @inlinable
    public mutating func write(_ value: Int64) {
        write(atMost: JSONBytes.longestInteger) { JSONBytes.write(value, to: $0) }
    }

    /// Decimal digits.
    @inlinable
    public mutating func write(_ value: Int) { write(Int64(value)) }

    /// The shortest digits that read back as the same number; `null` for what is not a number.
    @inlinable
    public mutating func write(_ value: Double) {
        guard value.isFinite else { return writeNull() }
        write(raw: value.description.utf8)
    }

    /// A string literal, quotes included.
    @inlinable
    public mutating func write(_ value: some StringProtocol) {
        var text = String(value)
        text.withUTF8 { write(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// A string literal, quotes included, of bytes that should be UTF-8.
    @inlinable
    public mutating func write(utf8 bytes: UnsafeRawBufferPointer) {
        write(atMost: JSONBytes.longestString(utf8Count: bytes.count)) { JSONBytes.write(string: bytes, to: $0) }
    }

    /// A member's name and colon: `"name":`.
    @inlinable
    public mutating func write(key: some StringProtocol) {
        write(key)
        write(byte: UInt8(ascii: ":"))
    }

    /// A whole value without white space, its members in their order.
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
