package import NIOCore

/// How far the bytes of a connection have come.
package enum TransportProgress {
    /// The kernel's `struct tcp_info` (tcp(7), linux/tcp.h) as far as it is read here: 29 words of eight bytes.
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

    /// Bytes that were written and that the client's system has not acknowledged: those that the channel keeps, and on
    /// Linux those that the kernel does. The kernel's buffer may hold megabytes, and gives room only when a good part of it
    /// is gone; a client that reads slowly but steadily would seem to stand still by the channel's alone.
    package static func unacknowledgedBytes(of channel: any Channel) -> Int {
        // A channel that cannot tell, or is closed, has none.
        let buffered = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        #if os(Linux)
            guard let provider = channel as? any SocketOptionProvider else { return buffered }
            let answer: EventLoopFuture<TCPInfo> = provider.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
            var info: TCPInfo?
            // On the channel's own loop the answer is there at once.
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
