import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes files that are there as a whole or not at all.
enum AtomicFile {
    /// The reason why a file was not written.
    struct Failure: Error {
        /// The number of the system's error.
        let code: Int32

        /// True if the disk, a quota or a limit of the size is the reason.
        var isLackOfSpace: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

        /// True if a folder on the way to the file does not exist.
        var isMissingFolder: Bool { code == ENOENT }

        /// The system's text.
        var reason: String { String(cString: strerror(code)) }
    }

    /// Writes a temporary file and moves it to its name.
    ///
    /// It is not forced to the disk: a file that a power failure cuts off is found by the digest in it, and a cache may lose a file.
    /// - Parameters:
    ///   - file: The path, where a file of that name is replaced.
    ///   - data: The content.
    ///   - temporary: A path in the same folder that no other writer uses.
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
