/// Rejects a chunked body with long chunk extensions and little content (RFC 9112 §7.1.1).
///
/// NIO's parser skips chunk sizes, chunk extensions and white space without a limit. Therefore the decoder reports the
/// number of bytes that it consumes, and the next handler reports the size of the content in these bytes. The
/// difference is the overhead. Each piece of content allows an overhead of 16 bytes plus twice the length of the piece,
/// so that bodies with very short chunks are accepted. The overhead that exceeds this allowance is called unpaid, and
/// its size is limited. Go's `net/http` has the same rule.
///
/// The decoder decodes at most 8 KiB in one step. The bytes of a step with a head or with the end of a body do not
/// count. Therefore the overhead of a body can exceed ``maximum`` by up to the bytes of two steps.
///
/// An instance belongs to the event loop of one connection.
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

    /// Records that the bytes were decoded, except the last `rest` bytes, which will be decoded together with the next
    /// bytes.
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
