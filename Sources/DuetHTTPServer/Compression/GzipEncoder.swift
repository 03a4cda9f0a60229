import CDuetZlib
import DuetHTTPSemantics
package import NIOCore

/// Compresses bytes to a gzip stream (RFC 1952) with zlib.
///
/// An encoder produces one stream at a time: with ``encode(_:)`` for a complete body, or with ``write(_:)`` for each
/// chunk and ``finish()`` at the end. After that, the encoder is ready for the next stream. The gzip header contains no
/// modification time and no file name. Therefore the output depends only on the input, the arguments of the initializer
/// and the version of zlib.
///
/// An encoder belongs to one task. It is not `Sendable`.
package final class GzipEncoder {
    /// zlib stores a pointer to this struct, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates an encoder.
    /// - Parameters:
    ///   - level: The compression level, from 1 (fastest) to 9 (smallest); see zlib's `deflateInit2`.
    ///   - bodySize: The length of the bodies in bytes, if it is known. Small bodies need only a small window and
    ///     little memory. With the largest window, zlib needs 270 KB of memory. Clearing this memory takes longer than
    ///     compressing a kilobyte.
    /// - Throws: ``GzipError`` if zlib rejects the level or cannot allocate memory.
    package init(level: Int32 = 6, bodySize: Int? = nil) throws(GzipError) {
        let windowBits = Self.windowBits(bodySize: bodySize)
        self.stream = .allocate(capacity: 1)
        self.stream.initialize(to: z_stream())
        let code = deflateInit2_(
            self.stream, level, Z_DEFLATED, windowBits + Self.gzipFrame, windowBits - Self.memoryLevelBelowWindowBits,
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw GzipError(code: code, during: "deflateInit2") }
    }

    deinit {
        // The code is Z_OK, or Z_DATA_ERROR for a stream that was not finished.
        _ = deflateEnd(self.stream)
        self.stream.deinitialize(count: 1)
        self.stream.deallocate()
    }

    /// Compresses the readable bytes of `body` to a complete gzip stream.
    package func encode(_ body: ByteBuffer) throws(GzipError) -> ByteBuffer {
        try self.reset()
        let bound = Int(deflateBound(self.stream, UInt(body.readableBytes)))
        var target = ByteBufferAllocator().buffer(capacity: bound)
        try self.deflate(body, into: &target, space: bound, flush: Z_FINISH)
        try self.reset()
        return target
    }

    /// Compresses a chunk and returns all bytes that a client needs to decode the stream up to the end of the chunk
    /// (zlib's `Z_SYNC_FLUSH`).
    ///
    /// The result for an empty chunk is an empty buffer.
    package func write(_ chunk: ByteBuffer) throws(GzipError) -> ByteBuffer {
        guard chunk.readableBytes > 0 else { return ByteBuffer() }
        // A sync flush ends a block and adds an empty block.
        let space = Int(deflateBound(self.stream, UInt(chunk.readableBytes))) + 16
        var target = ByteBufferAllocator().buffer(capacity: space)
        try self.deflate(chunk, into: &target, space: space, flush: Z_SYNC_FLUSH)
        return target
    }

    /// Ends the stream of ``write(_:)`` and returns its last bytes.
    package func finish() throws(GzipError) -> ByteBuffer {
        var target = ByteBufferAllocator().buffer(capacity: 64)
        try self.deflate(ByteBuffer(), into: &target, space: 64, flush: Z_FINISH)
        try self.reset()
        return target
    }

    /// Discards an unfinished stream. The next byte begins a new stream.
    package func reset() throws(GzipError) {
        let code = deflateReset(self.stream)
        guard code == Z_OK else { throw GzipError(code: code, during: "deflateReset") }
    }

    /// The value that is added to the window bits to request the gzip format instead of the zlib format.
    static let gzipFrame: Int32 = 16
    /// The difference between zlib's default window bits (15) and its default memory level (8).
    private static let memoryLevelBelowWindowBits: Int32 = 7

    /// Returns the base-2 logarithm of the window size, from 10 to 15. The window contains the whole body if the body
    /// has at most 32 KiB.
    private static func windowBits(bodySize: Int?) -> Int32 {
        guard let bodySize, bodySize < 1 << 15 else { return 15 }
        let bits = Int.bitWidth - max(bodySize - 1, 0).leadingZeroBitCount
        return max(Int32(bits), 10)
    }

    /// Passes all of `source` to zlib and appends the output to `target`, at most `space` bytes at a time.
    private func deflate(
        _ source: ByteBuffer, into target: inout ByteBuffer, space: Int, flush: Int32
    ) throws(GzipError) {
        let code = source.withUnsafeReadableBytes { input in
            // zlib declares the input as mutable but does not write to it.
            self.stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
            // A buffer contains less than 2^32 bytes.
            self.stream.pointee.avail_in = UInt32(truncatingIfNeeded: input.count)
            defer {
                self.stream.pointee.next_in = nil
                self.stream.pointee.avail_in = 0
            }
            while true {
                var code = Z_OK
                var isFull = false
                target.writeWithUnsafeMutableBytes(minimumWritableBytes: space) { output in
                    let available = UInt32(truncatingIfNeeded: output.count)
                    self.stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    self.stream.pointee.avail_out = available
                    code = CDuetZlib.deflate(self.stream, flush)
                    isFull = self.stream.pointee.avail_out == 0
                    return Int(available - self.stream.pointee.avail_out)
                }
                guard code == Z_OK, isFull || flush == Z_FINISH else { return code }
            }
        }
        // Z_BUF_ERROR: the output of the previous call filled the buffer exactly, so the last call produced nothing.
        let isComplete = flush == Z_FINISH ? code == Z_STREAM_END : code == Z_OK || code == Z_BUF_ERROR
        guard isComplete else { throw GzipError(code: code, during: "deflate") }
    }
}

/// A failed call of a zlib function.
package struct GzipError: Error, Hashable, Sendable, CustomStringConvertible {
    /// zlib's return code, such as `Z_MEM_ERROR` (-4).
    package let code: Int32
    /// The name of the zlib function.
    package let function: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: zlib's return code.
    ///   - function: The name of the zlib function.
    package init(code: Int32, during function: String) {
        self.code = code
        self.function = function
    }

    /// A sentence for the log.
    package var description: String {
        "zlib's \(self.function) returned \(self.code)."
    }
}
