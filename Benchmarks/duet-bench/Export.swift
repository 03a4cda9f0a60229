import Foundation

/// Reads a complete export over a socket, as fast as possible.
enum Export {
    /// - Throws: An error if the export does not have the expected number of rows.
    static func rowsPerSecond(_ server: ServerProcess, expected: Int) throws -> Double {
        let descriptor = try Socket.connect(port: server.port)
        defer { close(descriptor) }
        let request =
            "GET /salaries HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/x-ndjson\r\nConnection: close\r\n\r\n"
        let start = ContinuousClock.now
        guard request.withCString({ write(descriptor, $0, strlen($0)) }) == request.utf8.count else {
            throw Duet.Failure(description: "the request could not be written")
        }
        var rows = 0
        var last: UInt8 = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        while let base = buffer.baseAddress {
            let count = read(descriptor, base, buffer.count)
            guard count > 0 else { break }
            // A row ends with a brace and a line feed. Other lines of the chunked coding do not end with a brace. The C
            // function finds line feeds quickly, so that more processor time remains for the server.
            var position = base
            while let found = memchr(position, 0x0A, base + count - position) {
                let before = found == base ? last : (found - 1).load(as: UInt8.self)
                if before == UInt8(ascii: "}") { rows += 1 }
                position = found + 1
            }
            last = buffer[count - 1]
        }
        let elapsed = ContinuousClock.now - start
        guard rows == expected else { throw Duet.Failure(description: "the export has \(rows) rows, not \(expected)") }
        return Double(rows) / (elapsed / .seconds(1))
    }
}
