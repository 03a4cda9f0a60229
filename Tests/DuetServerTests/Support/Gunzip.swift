import CDuetZlib
import NIOCore

/// Decompresses gzip with zlib, so that the server's encoder is tested against an independent implementation.
enum Gunzip {
    struct Damaged: Error {}

    /// - Throws: ``Damaged`` for any input other than one complete gzip member.
    static func decode(_ packed: ByteBuffer) throws -> ByteBuffer {
        var input = Array(packed.readableBytesView)
        var output = [UInt8](repeating: 0, count: 1 << 16)
        var unpacked = ByteBuffer()
        var stream = z_stream()
        // 31: a window of 15 bits, with a gzip wrapper.
        guard inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw Damaged()
        }
        defer { inflateEnd(&stream) }
        try input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            var status = Z_OK
            while status != Z_STREAM_END {
                let count = try output.withUnsafeMutableBufferPointer { output in
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    status = inflate(&stream, Z_NO_FLUSH)
                    guard status == Z_OK || status == Z_STREAM_END else { throw Damaged() }
                    return output.count - Int(stream.avail_out)
                }
                unpacked.writeBytes(output[..<count])
            }
            guard stream.avail_in == 0 else { throw Damaged() }
        }
        return unpacked
    }
}
