package import NIOCore

/// A large response body that is stored in gzip (RFC 1952) only.
///
/// A client that accepts gzip receives the stored bytes, so the body is compressed once. For other clients, the body is
/// decompressed piece by piece.
package struct CompressedBody: Sendable {
    /// The body in gzip.
    package let gzip: ByteBuffer

    /// Compresses a body while it is written. A writer belongs to one task. It is not `Sendable`.
    package final class Writer {
        private let encoder: GzipEncoder
        private var gzip = ByteBuffer()

        /// Creates a writer of an empty body.
        /// - Parameter level: The compression level, from 1 (fastest) to 9 (smallest).
        /// - Throws: ``GzipError`` if zlib cannot allocate memory.
        package init(level: Int32) throws(GzipError) { self.encoder = try GzipEncoder(level: level) }

        /// Appends a piece to the body, preferably of 64 KiB or more.
        package func write(_ piece: ByteBuffer) throws(GzipError) {
            self.gzip.writeImmutableBuffer(try self.encoder.write(piece))
        }

        /// Ends the body. The writer must not be used afterwards.
        package func finish() throws(GzipError) -> CompressedBody {
            self.gzip.writeImmutableBuffer(try self.encoder.finish())
            // The copy has no unused capacity.
            return CompressedBody(gzip: ByteBuffer(bytes: self.gzip.readableBytesView))
        }
    }

    /// Decompresses the body.
    /// - Parameter receive: Receives the body in pieces of 64 KiB or less.
    /// - Throws: ``GzipError`` if zlib cannot allocate memory, or an error of `receive`.
    package func forEachPiece(_ receive: (ByteBuffer) throws -> Void) throws {
        let decoder = try GzipDecoder(self.gzip)
        while let piece = try decoder.next() { try receive(piece) }
    }
}
