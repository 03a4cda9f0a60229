import NIOCore

extension ByteBuffer {
    /// Appends a range of the bytes of another buffer.
    @inline(__always)
    mutating func write(_ source: ByteBuffer, range: Range<Int>) {
        guard !range.isEmpty else { return }
        source.withUnsafeReadableBytes { bytes in
            let offset = range.lowerBound - source.readerIndex
            _ = writeBytes(UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + range.count)]))
        }
    }
}
