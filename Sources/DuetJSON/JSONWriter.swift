public import NIOCore

/// Writes JSON (RFC 8259) as bytes, straight into a `ByteBuffer`.
///
/// It writes what it is told: commas and brackets are the caller's, except through
/// ``JSONWriter/write(_:)-(JSONValue)``.
/// Text is scanned eight bytes at a time for what needs escaping; UTF-8 that is not valid becomes U+FFFD; NaN and the
/// infinities, which JSON has no word for, become `null`.
public struct JSONWriter {
    /// What has been written.
    public var buffer: ByteBuffer

    /// - Parameter capacity: bytes to reserve.
    public init(capacity: Int = 1024) {
        buffer = ByteBufferAllocator().buffer(capacity: capacity)
    }

    /// Goes on writing at the end of that buffer.
    public init(_ buffer: ByteBuffer) {
        self.buffer = buffer
    }

    /// Bytes as they are; must be JSON in their place.
    @inlinable
    public mutating func write(raw bytes: some Collection<UInt8>) {
        buffer.writeBytes(bytes)
    }

    /// Text as it is; must be JSON in its place.
    @inlinable
    public mutating func write(raw text: StaticString) {
        buffer.writeStaticString(text)
    }

    /// One byte as it is, such as a comma.
    @inlinable
    public mutating func write(byte: UInt8) {
        buffer.writeInteger(byte)
    }

    /// `true` or `false`.
    @inlinable
    public mutating func write(_ value: Bool) {
        buffer.writeStaticString(value ? "true" : "false")
    }

    /// `null`.
    @inlinable
    public mutating func writeNull() {
        buffer.writeStaticString("null")
    }

    /// Decimal digits.
    @inlinable
    public mutating func write(_ value: Int64) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: JSONBytes.longestInteger) { space in
            guard let base = space.baseAddress else { return 0 }
            return JSONBytes.write(value, to: base)
        }
    }

    /// Decimal digits.
    @inlinable
    public mutating func write(_ value: Int) { write(Int64(value)) }

    /// The shortest digits that read back as the same number; `null` for what is not a number.
    public mutating func write(_ value: Double) {
        guard value.isFinite else { return writeNull() }
        buffer.writeString(value.description)
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
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: JSONBytes.longestString(utf8Count: bytes.count)) {
            guard let base = $0.baseAddress else { return 0 }
            return JSONBytes.write(string: bytes, to: base)
        }
    }

    /// A member's name and colon: `"name":`.
    @inlinable
    public mutating func write(key: some StringProtocol) {
        write(key)
        write(byte: UInt8(ascii: ":"))
    }

    /// A whole value, its members in their order.
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
