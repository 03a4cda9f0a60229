import CDuetZlib
package import NIOCore

/// Decompresses a gzip stream (RFC 1952) in pieces with zlib.
///
/// A decoder belongs to one task. It is not `Sendable`.
package final class GzipDecoder {
    /// zlib stores a pointer to this struct, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var source: ByteBuffer
    private var isComplete = false

    /// Creates a decoder of a complete stream.
    /// - Throws: ``GzipError`` if zlib cannot allocate memory.
    package init(_ gzip: ByteBuffer) throws(GzipError) {
        self.source = gzip
        self.stream = .allocate(capacity: 1)
        self.stream.initialize(to: z_stream())
        let code = inflateInit2_(
            self.stream, MAX_WBITS + GzipEncoder.gzipFrame, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw GzipError(code: code, during: "inflateInit2") }
    }

    deinit {
        _ = inflateEnd(self.stream)
        self.stream.deinitialize(count: 1)
        self.stream.deallocate()
    }

    /// Returns the next bytes of the content, at most `count`; nil at the end.
    /// - Throws: ``GzipError`` if the stream is damaged or incomplete.
    package func next(atMost count: Int = 1 << 16) throws(GzipError) -> ByteBuffer? {
        guard !self.isComplete else { return nil }
        var target = ByteBufferAllocator().buffer(capacity: count)
        var code = Z_OK
        self.source.readWithUnsafeReadableBytes { input in
            // zlib declares the input as mutable but does not write to it.
            self.stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
            // A buffer contains less than 2^32 bytes.
            self.stream.pointee.avail_in = UInt32(truncatingIfNeeded: input.count)
            target.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { output in
                let space = UInt32(truncatingIfNeeded: min(output.count, count))
                self.stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                self.stream.pointee.avail_out = space
                code = inflate(self.stream, Z_NO_FLUSH)
                return Int(space - self.stream.pointee.avail_out)
            }
            defer {
                self.stream.pointee.next_in = nil
                self.stream.pointee.next_out = nil
            }
            return input.count - Int(self.stream.pointee.avail_in)
        }
        self.isComplete = code == Z_STREAM_END
        // Without input, zlib returns Z_BUF_ERROR. The stream is then incomplete.
        guard self.isComplete || code == Z_OK else { throw GzipError(code: code, during: "inflate") }
        if target.readableBytes == 0 && self.isComplete { return nil }
        return target
    }
}
