package import NIOCore

/// Measures how much of the written data has not reached the client yet.
package enum TransportProgress {
    /// The first 29 eight-byte words of the kernel's `struct tcp_info` (tcp(7), linux/tcp.h).
    private struct TCPInfo {
        typealias Eight = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
        var first: Eight = (0, 0, 0, 0, 0, 0, 0, 0)
        var second: Eight = (0, 0, 0, 0, 0, 0, 0, 0)
        var third: Eight = (0, 0, 0, 0, 0, 0, 0, 0)
        var rest: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)

        var bytesAcknowledged: UInt64 { second.7 }
        var bytesNotSent: UInt64 { third.2 & 0xFFFF_FFFF }
        var bytesSent: UInt64 { rest.1 }
        var bytesSentAgain: UInt64 { rest.2 }
    }

    /// Returns the number of written bytes that the client's system has not acknowledged.
    ///
    /// They are the bytes in the channel's buffer and, on Linux, the bytes in the kernel's buffer. The kernel's buffer
    /// may contain megabytes and accepts more only after a large part of it is sent. Therefore the size of the
    /// channel's buffer alone does not show the progress of a client that reads slowly but steadily.
    /// - Parameter channel: A channel. The caller must run on its event loop.
    package static func unacknowledgedBytes(of channel: any Channel) -> Int {
        // A closed channel, or a channel without this option, has no buffered bytes.
        let buffered = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        #if os(Linux)
            guard let provider = channel as? any SocketOptionProvider else { return buffered }
            let answer: EventLoopFuture<TCPInfo> = provider.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
            var info: TCPInfo?
            // On the channel's own event loop, the future is already complete.
            answer.assumeIsolated().whenSuccess { info = $0 }
            guard let info else { return buffered }
            let sent = Int(clamping: info.bytesSent) - Int(clamping: info.bytesSentAgain)
            let underWay = max(0, sent - Int(clamping: info.bytesAcknowledged))
            return buffered + underWay + Int(clamping: info.bytesNotSent)
        #else
            return buffered
        #endif
    }
}
