/// Writes JSON (RFC 8259) into an array of bytes. Its methods are those of ``JSONOutput``.
public struct JSONByteWriter: JSONOutput {
    /// The bytes that have been written.
    public var bytes: [UInt8] = []

    /// - Parameter capacity: the number of bytes to reserve.
    public init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Bytes as they are; must be JSON in their place.
    @inlinable
    public mutating func write(raw bytes: some Collection<UInt8>) {
        self.bytes.append(contentsOf: bytes)
    }

    /// Text as it is; must be JSON in its place.
    @inlinable
    public mutating func write(raw text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// One byte as it is, such as a comma.
    @inlinable
    public mutating func write(byte: UInt8) {
        bytes.append(byte)
    }

    /// The bytes that a function stores; must be JSON in their place.
    /// - Parameters:
    ///   - count: the maximum number of bytes, for which there is room.
    ///   - store: stores the bytes at an address, and returns their number.
    @inlinable
    public mutating func write(atMost count: Int, _ store: (UnsafeMutableRawPointer) -> Int) {
        withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { space in
            guard let start = space.baseAddress else { return }
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: store(start)))
        }
    }
}

extension JSONValue {
    /// The value as JSON without white space, its members in their order.
    public var compactBytes: [UInt8] {
        var writer = JSONByteWriter()
        writer.write(self)
        return writer.bytes
    }

    /// The value as JSON without white space, its members in their order.
    public var compactText: String { String(decoding: compactBytes, as: UTF8.self) }
}
