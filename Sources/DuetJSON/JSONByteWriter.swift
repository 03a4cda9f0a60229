/// Writes JSON (RFC 8259) to an array of bytes. It has the methods of ``JSONOutput``.
public struct JSONByteWriter: JSONOutput {
    /// The written bytes.
    public var bytes: [UInt8] = []

    /// Creates a writer.
    /// - Parameter capacity: The number of bytes to reserve.
    public init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes bytes unchanged. They must be valid JSON at their position.
    @inlinable
    public mutating func write(raw bytes: some Collection<UInt8>) {
        self.bytes.append(contentsOf: bytes)
    }

    /// Writes text unchanged. It must be valid JSON at its position.
    @inlinable
    public mutating func write(raw text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes one byte unchanged, such as a comma.
    @inlinable
    public mutating func write(byte: UInt8) {
        bytes.append(byte)
    }

    /// Writes the bytes that a closure stores. They must be valid JSON at their position.
    /// - Parameters:
    ///   - count: The maximum number of bytes. The method reserves this space.
    ///   - store: A function that stores the bytes at an address, and returns their number.
    @inlinable
    public mutating func write(atMost count: Int, _ store: (UnsafeMutableRawPointer) -> Int) {
        withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { space in
            guard let start = space.baseAddress else { return }
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: store(start)))
        }
    }
}

extension JSONValue {
    /// The value as JSON without white space. The members are in their original order.
    public var compactBytes: [UInt8] {
        var writer = JSONByteWriter()
        writer.write(self)
        return writer.bytes
    }

    /// The value as JSON without white space. The members are in their original order.
    public var compactText: String { String(decoding: compactBytes, as: UTF8.self) }
}
