import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file descriptor that log lines go to.
package struct LogOutput: Sendable, Hashable {
    /// The descriptor; never closed here.
    package let descriptor: Int32

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Standard error.
    package static let standardError = LogOutput(descriptor: STDERR_FILENO)

    /// Whether the descriptor is a terminal.
    package var isTerminal: Bool {
        isatty(self.descriptor) == 1
    }

    /// Writes a line with one call of `write(2)`, so that lines of several threads and processes do not mix; only the
    /// rest of a line that the system took in part needs another call.
    ///
    /// A line that cannot be written is dropped: there is nowhere to report it.
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

/// `write(2)`, which inside of ``LogOutput`` is hidden by its method.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
