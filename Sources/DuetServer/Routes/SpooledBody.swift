import DuetResourceService
import DuetSQLDatabase
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix

/// The body of a request in a temporary file. The file has no name, so the system removes it with the last reference to
/// this object, and also if the process ends.
///
/// A transaction that reads the file never waits for the client.
final class SpooledBody: Sendable {
    private let descriptor: CInt

    /// The number of bytes that are written together.
    private static let pieceSize = 256 << 10

    private init() throws {
        guard let folder = TemporaryFiles.folder else { throw Self.failure(ENOENT) }
        var template = Array("\(folder)/duet-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.failure(errno) }
        self.descriptor = descriptor
        unlink(template)
    }

    deinit { close(descriptor) }

    /// Writes the body of a request to a file.
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    ///   - idempotency: The idempotency key of the request, to whose content the body is added.
    /// - Throws: ``RequestProblem``: 413, or 503 if the file cannot be written.
    static func collect(
        _ body: RequestBody, limit: Int, _ idempotency: inout IdempotencyRequest?
    ) async throws -> SpooledBody {
        let file = try await onThread { try SpooledBody() }
        var pending = ByteBuffer()
        var count = 0
        for try await piece in body {
            count += piece.readableBytes
            guard count <= limit else { throw RoutedRequest.tooLarge(limit) }
            idempotency?.add(piece)
            pending.writeImmutableBuffer(piece)
            if pending.readableBytes >= pieceSize {
                let bytes = pending
                try await onThread { try file.write(bytes) }
                pending.clear()
            }
        }
        let bytes = pending
        try await onThread { try file.write(bytes) }
        return file
    }

    private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await NIOThreadPool.singleton.runIfActive(work)
    }

    private func write(_ bytes: ByteBuffer) throws {
        try bytes.withUnsafeReadableBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = systemWrite(descriptor, rest)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw Self.failure(errno) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Copies bytes of the body to a buffer.
    /// - Returns: The number of bytes; 0 at the end.
    func read(_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw Self.failure(errno) }
        }
    }

    private static func failure(_ number: CInt) -> RequestProblem {
        let reason = String(cString: strerror(number))
        return RequestProblem(
            .temporaryFileUnavailable,
            "the server cannot store the body in a temporary file (\(reason)); the operator must free space, or set TMPDIR to a folder that the server can write"
        )
    }
}
