package import NIOCore
import Synchronization

/// A pool of encoders that compress bodies at one level.
///
/// A small body gets a new encoder, which is cheap. Encoders for larger bodies are reused, because each of them needs
/// 270 KB of memory. Allocating and clearing this memory takes 2 to 50 microseconds, depending on whether the allocator
/// has returned the memory to the system. For comparison, the compression of 16 KB takes 40 microseconds.
package final class GzipEncoderPool: Sendable {
    /// An unused encoder. The pool has the only reference to the encoder and transfers this reference with ``take()``,
    /// so the encoder may move between tasks.
    private struct Idle: @unchecked Sendable {
        let encoder: GzipEncoder
    }

    private let level: Int32
    private let capacity: Int
    private let idle = Mutex<[Idle]>([])

    /// Creates a pool.
    /// - Parameters:
    ///   - level: The compression level, from 1 (fastest) to 9 (smallest).
    ///   - capacity: The maximum number of unused encoders that the pool retains. Each of them has 270 KB.
    package init(level: Int32 = 6, capacity: Int = 4) {
        self.level = level
        self.capacity = capacity
    }

    /// Compresses the readable bytes of `body` to a complete gzip stream (RFC 1952).
    package func encode(_ body: ByteBuffer) throws(GzipError) -> ByteBuffer {
        guard body.readableBytes > Self.largestSmallBody else {
            return try GzipEncoder(level: self.level, bodySize: body.readableBytes).encode(body)
        }
        let encoder = try self.take()
        let encoded = try encoder.encode(body)
        self.giveBack(encoder)
        return encoded
    }

    /// Returns an encoder for a body that is compressed in several chunks. The encoder is ready for a new stream.
    ///
    /// Pass the encoder to ``giveBack(_:)`` after use. An encoder that is not passed back is freed.
    package func take() throws(GzipError) -> GzipEncoder {
        if let idle = self.idle.withLock({ $0.popLast() }) { return idle.encoder }
        return try GzipEncoder(level: self.level)
    }

    /// Gives an encoder from ``take()`` back to the pool. The encoder can be in any state. The caller must not use it
    /// afterwards.
    package func giveBack(_ encoder: GzipEncoder) {
        guard (try? encoder.reset()) != nil else { return }
        self.idle.withLock { idle in
            if idle.count < self.capacity { idle.append(Idle(encoder: encoder)) }
        }
    }

    /// The maximum size in bytes of a body that gets a new encoder. The encoder of such a body needs little memory.
    /// Allocators retain small blocks after they are freed, so the next allocation is fast.
    private static let largestSmallBody = 4096
}
