/// Rejects a chunked body with long chunk extensions and little content (RFC 9112 §7.1.1).
///
/// NIO's parser skips chunk sizes, chunk extensions and white space without a limit. So the decoder reports the bytes
/// that it consumes, and the next handler reports the content in these bytes. Each piece of content pays for 16 bytes
/// and for twice its own length, so that bodies with very short chunks are accepted. The number of unpaid bytes is
/// limited. Go's `net/http` has the same rule.
///
/// The decoder's bytes are counted in pieces. A piece that contains a head or the end of a body does not count, so up
/// to two pieces more than ``maximum`` may pass.
///
/// It belongs to the event loop of one connection.
final class ChunkOverhead {
    /// The error for a body whose chunks contain too little content.
    struct TooLarge: Error {}

    /// The maximum number of unpaid bytes.
    private static let maximum = 16 * 1024

    private var isInBody = false
    private var unpaid = 0

    /// Records that the next `count` bytes are about to be decoded.
    func willDecode(_ count: Int) {
        self.unpaid += count
    }

    /// Records that the bytes are decoded, except the last `rest` bytes, which are decoded with the next ones.
    /// - Throws: ``TooLarge``.
    func didDecode(rest: Int) throws(TooLarge) {
        self.unpaid = self.isInBody ? max(0, self.unpaid - rest) : 0
        if self.unpaid > Self.maximum { throw TooLarge() }
    }

    /// Records that a head with a chunked body has been decoded.
    func beginBody() {
        self.isInBody = true
        self.unpaid = 0
    }

    /// Records that content of `count` bytes has been decoded.
    func receive(_ count: Int) {
        self.unpaid = max(0, self.unpaid - 16 - 3 * count)
    }

    /// Records that a body has ended.
    func endBody() {
        self.isInBody = false
    }
}
