import DuetHTTPServer
import NIOCore
import Testing

@Suite struct GzipDecoderTests {
    /// Returns the content of a gzip stream and the sizes of the pieces.
    private static func content(of gzip: ByteBuffer, pieces count: Int) throws -> (content: ByteBuffer, sizes: [Int]) {
        let decoder = try GzipDecoder(gzip)
        var content = ByteBuffer()
        var sizes: [Int] = []
        while let piece = try decoder.next(atMost: count) {
            sizes.append(piece.readableBytes)
            content.writeImmutableBuffer(piece)
        }
        return (content, sizes)
    }

    @Test(
        "A compressed body is decompressed in full pieces and a last, smaller one",
        arguments: [0, 1, 4095, 4096, 4097, 100_000])
    func pieces(count: Int) throws {
        let body = GzipEncoderTests.body(count)
        let (content, sizes) = try Self.content(of: try GzipEncoder().encode(body), pieces: 4096)
        #expect(content == body)
        #expect(sizes.dropLast().allSatisfy { $0 == 4096 } && sizes.allSatisfy { $0 > 0 })
    }

    @Test("A body that is compressed while it is written decompresses to the written pieces")
    func compressedBody() throws {
        let pieces = [1, 70_000, 0, 200_000, 3].map(GzipEncoderTests.body)
        let writer = try CompressedBody.Writer(level: 6)
        for piece in pieces { try writer.write(piece) }
        let body = try writer.finish()
        let all = pieces.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
        #expect(GzipEncoderTests.decode(body.gzip) == all)
        var content = ByteBuffer()
        try body.forEachPiece { content.writeImmutableBuffer($0) }
        #expect(content == all)
    }

    @Test("A stream that ends early or is damaged is an error")
    func damaged() throws {
        let body = GzipEncoderTests.body(10_000)
        let gzip = try GzipEncoder().encode(body)
        var changed = gzip
        changed.setInteger(
            gzip.getInteger(at: gzip.writerIndex - 6, as: UInt8.self).map { $0 ^ 1 } ?? 0, at: gzip.writerIndex - 6)
        for stream in [ByteBuffer(), gzip.getSlice(at: 0, length: gzip.readableBytes - 1) ?? gzip, changed] {
            #expect(throws: GzipError.self) { try Self.content(of: stream, pieces: 1 << 16) }
        }
    }
}
