public import DuetJSON
public import NIOCore

/// Writes JSON (RFC 8259) directly into a `ByteBuffer`. It has the methods of `JSONOutput` of DuetJSON.
public struct JSONWriter: JSONOutput {
    /// The written bytes.
    public var buffer: ByteBuffer

    /// Creates a writer.
    /// - Parameter capacity: The number of bytes to reserve.
    public init(capacity: Int = 1024) {
        buffer = ByteBufferAllocator().buffer(capacity: capacity)
    }

    /// Creates a writer that appends to the buffer.
    public init(_ buffer: ByteBuffer) {
        self.buffer = buffer
    }

    /// Writes bytes unchanged. They must be valid JSON at their position.
    @inlinable
    public mutating func write(raw bytes: some Collection<UInt8>) {
        buffer.writeBytes(bytes)
    }

    /// Writes text unchanged. It must be valid JSON at its position.
    @inlinable
    public mutating func write(raw text: StaticString) {
        buffer.writeStaticString(text)
    }

    /// Writes one byte unchanged, such as a comma.
    @inlinable
    public mutating func write(byte: UInt8) {
        buffer.writeInteger(byte)
    }

    /// Writes the bytes that a closure stores. They must be valid JSON at their position.
    /// - Parameters:
    ///   - count: The maximum number of bytes. The method reserves this space.
    ///   - store: A function that stores the bytes at an address, and returns their number.
    @inlinable
    public mutating func write(atMost count: Int, _ store: (UnsafeMutableRawPointer) -> Int) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            guard let base = space.baseAddress else { return 0 }
            return store(base)
        }
    }
}

extension JSONWriter {
    /// Writes a value as JSON. An enum value becomes a string.
    mutating func write(_ value: Value) {
        switch value {
        case .null: writeNull()
        case .int(let number): write(number)
        case .double(let number): write(number)
        case .string(let text), .enum(let text): write(text)
        case .bool(let bool): write(bool)
        case .list(let items):
            write(byte: UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { write(byte: UInt8(ascii: ",")) }
                write(item)
            }
            write(byte: UInt8(ascii: "]"))
        case .object(let fields):
            write(byte: UInt8(ascii: "{"))
            for (index, field) in fields.enumerated() {
                if index > 0 { write(byte: UInt8(ascii: ",")) }
                write(key: field.name)
                write(field.value)
            }
            write(byte: UInt8(ascii: "}"))
        }
    }
}
