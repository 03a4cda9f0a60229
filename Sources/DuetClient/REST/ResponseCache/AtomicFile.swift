import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes files atomically.
enum AtomicFile {
    /// An error in writing a file.
    struct Failure: Error {
        /// The error number (`errno`).
        let code: Int32

        /// True if the disk is full, or a quota or a file size limit is exceeded.
        var isLackOfSpace: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

        /// True if a folder in the path does not exist.
        var isMissingFolder: Bool { code == ENOENT }

        /// The message of the system.
        var reason: String { String(cString: strerror(code)) }
    }

    /// Writes a temporary file and renames it.
    ///
    /// The file is not flushed to the disk. A power failure may therefore truncate it. This is acceptable, because a
    /// cache may lose files, and each file contains a digest that reveals the truncation.
    /// - Parameters:
    ///   - file: The path. An existing file is replaced.
    ///   - data: The content.
    ///   - temporary: The path of the temporary file. It is in the same folder, and no other writer uses it.
    static func replace(_ file: String, with data: Data, through temporary: String) throws(Failure) {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var failure = append(data, to: descriptor)
        if close(descriptor) != 0, failure == nil { failure = Failure(code: errno) }
        if failure == nil, rename(temporary, file) != 0 { failure = Failure(code: errno) }
        if let failure {
            unlink(temporary)
            throw failure
        }
    }

    private static func append(_ data: Data, to descriptor: Int32) -> Failure? {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = write(descriptor, part.baseAddress, part.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return Failure(code: count == 0 ? ENOSPC : errno) }
                rest = rest.dropFirst(count)
            }
            return nil
        }
    }
}
