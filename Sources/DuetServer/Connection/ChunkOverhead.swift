/// The rule by which a chunked body is refused that carries little content: one with long chunk extensions (RFC 9112 §7.1.1).
///
/// NIO's parser steps over chunk sizes, chunk extensions and white space without a limit. Here the decoder reports the bytes
/// that it consumes, and the handler behind it the content that they give. Each piece of content pays for 16 bytes and for
/// twice its own length, so that bodies of very short chunks pass; what is left unpaid is bounded. Go's `net/http` has the
/// same rule.
///
/// The decoder's bytes are counted piece by piece. A piece that has a head or the end of a body does not count, so up to two
/// pieces more than ``maximum`` may pass.
///
/// Belongs to the event loop of one connection.
final class ChunkOverhead {
    /// The chunks of a body have too little content.
    struct TooLarge: Error {}

    /// The largest number of bytes that no content pays for.
    private static let maximum = 16 * 1024

    private var isInBody = false
    private var unpaid = 0

    /// The next `count` bytes are about to be decoded.
    func willDecode(_ count: Int) {
        self.unpaid += count
    }

    /// The bytes are decoded, except the last `rest`, which come again with the next ones.
    /// - Throws: ``TooLarge``.
    func didDecode(rest: Int) throws(TooLarge) {
        self.unpaid = self.isInBody ? max(0, self.unpaid - rest) : 0
        if self.unpaid > Self.maximum { throw TooLarge() }
    }

    /// A head has been decoded, whose body comes in chunks.
    func beginBody() {
        self.isInBody = true
        self.unpaid = 0
    }

    /// Content of `count` bytes has been decoded.
    func receive(_ count: Int) {
        self.unpaid = max(0, self.unpaid - 16 - 3 * count)
    }

    /// A body has ended.
    func endBody() {
        self.isInBody = false
    }
}
