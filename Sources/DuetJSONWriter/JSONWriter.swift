public import DuetJSON
public import NIOCore

/// Writes JSON (RFC 8259) as bytes, straight into a `ByteBuffer`. Its methods are those of ``DuetJSON/JSONOutput``.
public struct JSONWriter: JSONOutput {
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

    /// The bytes that a function stores; must be JSON in their place.
    /// - Parameters:
    ///   - count: the maximum number of bytes, for which there is room.
    ///   - store: stores the bytes at an address, and returns their number.
    @inlinable
    public mutating func write(atMost count: Int, _ store: (UnsafeMutableRawPointer) -> Int) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            guard let base = space.baseAddress else { return 0 }
            return store(base)
        }
    }
}
