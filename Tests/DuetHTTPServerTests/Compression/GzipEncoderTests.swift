import CDuetZlib
import DuetHTTPServer
import NIOCore
import Testing

@Suite struct GzipEncoderTests {
    /// Decompresses all of `bytes` with zlib, which checks the length and the checksum. Returns `nil` if the stream is
    /// incomplete and `mustEnd` is true.
    static func decode(_ bytes: ByteBuffer, mustEnd: Bool = true) -> ByteBuffer? {
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var input = Array(bytes.readableBytesView)
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 10_000)
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            while true {
                let (code, count) = chunk.withUnsafeMutableBufferPointer { target in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(target.count)
                    let code = inflate(&stream, Z_SYNC_FLUSH)
                    return (code, target.count - Int(stream.avail_out))
                }
                output += chunk[..<count]
                if code == Z_STREAM_END { return stream.avail_in == 0 ? ByteBuffer(bytes: output) : nil }
                if code != Z_OK || count < chunk.count { return mustEnd ? nil : ByteBuffer(bytes: output) }
            }
        }
    }

    /// Returns compressible text followed by incompressible bytes.
    static func body(_ count: Int) -> ByteBuffer {
        var state: UInt32 = 1
        return ByteBuffer(
            bytes: (0..<count).map { index in
                state = state &* 1_664_525 &+ 1_013_904_223
                return index < count / 2 ? UInt8(index % 50 + 32) : UInt8(truncatingIfNeeded: state >> 24)
            })
    }

    @Test(
        "A gzip body decodes to the original body",
        arguments: [0, 1, 100, 65_536, 1_000_000], [Int32(1), 6, 9])
    func roundTrip(count: Int, level: Int32) throws {
        let encoder = try GzipEncoder(level: level)
        let body = Self.body(count)
        #expect(Self.decode(try encoder.encode(body)) == body)
    }

    @Test(
        "With a window that fits the body, the gzip stream is at most 10 bytes longer than with the largest window",
        arguments: [0, 1, 511, 512, 513, 1024, 4096, 4097, 32_767, 32_768, 32_769])
    func bodySize(count: Int) throws {
        let body = Self.body(count)
        let encoded = try GzipEncoder(bodySize: count).encode(body)
        #expect(Self.decode(encoded) == body)
        let largest = try GzipEncoder().encode(body)
        #expect(encoded.readableBytes <= largest.readableBytes + 10)
        // The size is only a hint: a larger body is also encoded correctly.
        #expect(Self.decode(try GzipEncoder(bodySize: count).encode(Self.body(100_000))) == Self.body(100_000))
    }

    @Test("A pool of gzip encoders serves concurrent tasks, and gives the same bytes as a new encoder")
    func pool() async throws {
        let pool = GzipEncoderPool(level: 3, capacity: 2)
        let bodies = [10, 4096, 4097, 50_000].map(Self.body)
        let abandoned = try pool.take()
        _ = try abandoned.write(Self.body(1000))
        pool.giveBack(abandoned)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<8 {
                tasks.addTask {
                    for body in bodies {
                        let encoded = try pool.encode(body)
                        #expect(Self.decode(encoded) == body)
                    }
                }
            }
            try await tasks.waitForAll()
        }
        let encoded = try pool.encode(bodies[3])
        #expect(try GzipEncoder(level: 3).encode(bodies[3]) == encoded)
    }

    @Test("A reused gzip encoder gives the same bytes as a new encoder")
    func reuse() throws {
        let encoder = try GzipEncoder()
        let first = try encoder.encode(Self.body(5000))
        _ = try encoder.encode(Self.body(70_000))
        #expect(try encoder.encode(Self.body(5000)) == first)
        #expect(try GzipEncoder().encode(Self.body(5000)) == first)
    }

    @Test("Gzip makes repetitive text more than 20 times smaller")
    func size() throws {
        let body = ByteBuffer(string: String(repeating: "{\"title\":\"Engineer\"},", count: 1000))
        #expect(try GzipEncoder().encode(body).readableBytes * 20 < body.readableBytes)
    }

    @Test("A chunk in gzip can be decoded before the next chunk is written")
    func streaming() throws {
        let encoder = try GzipEncoder()
        var sent = ByteBuffer()
        var expected = ByteBuffer()
        for count in [1, 10, 0, 40_000, 300_000, 7] {
            var chunk = Self.body(count)
            sent.writeImmutableBuffer(try encoder.write(chunk))
            expected.writeBuffer(&chunk)
            if expected.readableBytes > 0 { #expect(Self.decode(sent, mustEnd: false) == expected) }
        }
        #expect(Self.decode(sent) == nil)
        sent.writeImmutableBuffer(try encoder.finish())
        #expect(Self.decode(sent) == expected)
    }

    @Test("A gzip stream without content is complete and can be decoded")
    func emptyStream() throws {
        #expect(Self.decode(try GzipEncoder().finish()) == ByteBuffer())
    }

    @Test("An abandoned gzip stream has no effect on the next stream")
    func reset() throws {
        let encoder = try GzipEncoder()
        _ = try encoder.write(Self.body(1000))
        let whole = try encoder.encode(Self.body(10))
        #expect(Self.decode(whole) == Self.body(10))
        _ = try encoder.write(Self.body(1000))
        try encoder.reset()
        var stream = try encoder.write(Self.body(10))
        stream.writeImmutableBuffer(try encoder.finish())
        #expect(Self.decode(stream) == Self.body(10))
    }

    @Test("The gzip encoder omits bytes before the reader index of the buffer")
    func slice() throws {
        var body = ByteBuffer(string: "xxxabc")
        body.moveReaderIndex(forwardBy: 3)
        #expect(Self.decode(try GzipEncoder().encode(body)) == ByteBuffer(string: "abc"))
    }

    @Test("An invalid gzip compression level is an error with zlib's error code")
    func level() {
        #expect(throws: GzipError(code: Z_STREAM_ERROR, during: "deflateInit2")) { try GzipEncoder(level: 10) }
    }
}
