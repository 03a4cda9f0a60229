import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file descriptor to which log lines are written.
package struct LogOutput: Sendable, Hashable {
    /// The descriptor. It is never closed.
    package let descriptor: Int32

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Standard error.
    package static let standardError = LogOutput(descriptor: STDERR_FILENO)

    /// True if the descriptor is a terminal.
    package var isTerminal: Bool {
        isatty(self.descriptor) == 1
    }

    /// Writes a line with one call of `write(2)`, so that lines of several threads and processes do not mix. The rest
    /// of a line after a partial write requires another call.
    ///
    /// A line that cannot be written is dropped, because there is no place to report the error.
    func write(_ line: ByteBuffer) {
        line.withUnsafeReadableBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                let count = systemWrite(self.descriptor, rest)
                if count > 0 {
                    offset += count
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
    }
}

/// Calls `write(2)`, whose name is shadowed by a method in ``LogOutput``.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
