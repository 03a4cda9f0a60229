package import NIOCore
import Synchronization

/// Compresses many bodies at one level.
///
/// A small body gets an encoder of its own, which costs next to nothing. Encoders for larger ones are kept and used
/// again: to allocate and clear their 270 KB took from 2 to 50 microseconds, depending on whether the allocator had
/// returned the memory to the system; to compress 16 KB takes 40.
package final class GzipEncoderPool: Sendable {
    /// An encoder that nobody uses: the pool has the only reference, and whoever takes it out has it then. So it may
    /// pass from task to task.
    private struct Idle: @unchecked Sendable {
        let encoder: GzipEncoder
    }

    private let level: Int32
    private let capacity: Int
    private let idle = Mutex<[Idle]>([])

    /// - Parameters:
    ///   - level: 1, fast, to 9, small.
    ///   - capacity: How many encoders of 270 KB are kept while nobody uses them.
    package init(level: Int32 = 6, capacity: Int = 4) {
        self.level = level
        self.capacity = capacity
    }

    /// Compresses the readable bytes of `body` to a whole gzip stream (RFC 1952).
    package func encode(_ body: ByteBuffer) throws(GzipError) -> ByteBuffer {
        guard body.readableBytes > Self.largestSmallBody else {
            return try GzipEncoder(level: self.level, bodySize: body.readableBytes).encode(body)
        }
        let encoder = try self.take()
        let encoded = try encoder.encode(body)
        self.giveBack(encoder)
        return encoded
    }

    /// An encoder for a body that is still being made, at the beginning of a stream.
    ///
    /// Give it back with ``giveBack(_:)``; one that is not given back is merely lost to the pool.
    package func take() throws(GzipError) -> GzipEncoder {
        if let idle = self.idle.withLock({ $0.popLast() }) { return idle.encoder }
        return try GzipEncoder(level: self.level)
    }

    /// Takes back an encoder from ``take()`` that nobody uses any more, in whatever state it is.
    package func giveBack(_ encoder: GzipEncoder) {
        guard (try? encoder.reset()) != nil else { return }
        self.idle.withLock { idle in
            if idle.count < self.capacity { idle.append(Idle(encoder: encoder)) }
        }
    }

    /// Up to here a window of the body's own size needs less memory than an allocator returns to the system.
    private static let largestSmallBody = 4096
}
