package import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A listening socket that another process has created, such as systemd (sd_listen_fds(3)). Several processes can
/// accept connections from one socket. A connection waits in the queue of the socket until one of them accepts it, so
/// a new process can replace an old one without a refused connection.
package struct InheritedSocket: Sendable {
    /// The reason why a descriptor cannot be used, and what to do.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    package let descriptor: CInt
    /// The address at which the socket listens.
    package let localAddress: SocketAddress

    /// Creates a value for a descriptor. Programs that this process starts do not inherit the descriptor.
    /// - Parameter name: The name of the socket for errors.
    package init(descriptor: CInt, name: String) throws(Unusable) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        guard Self.option(SO_TYPE, of: descriptor) == Self.stream else {
            throw Unusable(description: "\(name) is not a stream socket; use ListenStream= in its unit")
        }
        guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1 else {
            throw Unusable(description: "\(name) does not listen; use Accept=no in its unit")
        }
        guard let address = Self.localAddress(of: descriptor) else {
            throw Unusable(description: "\(name) has neither an IP address nor a path; change its unit")
        }
        self.localAddress = address
    }

    /// The IP address; nil for a Unix domain socket.
    var host: String? { self.localAddress.ipAddress }

    private static var stream: CInt {
        #if canImport(Glibc)
            CInt(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    private static func localAddress(of descriptor: CInt) -> SocketAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes -> SocketAddress? in
            guard let start = bytes.baseAddress,
                getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &size) == 0
            else { return nil }
            // The size of the storage is at least that of each address.
            return switch CInt(bytes.load(as: sockaddr.self).sa_family) {
            case AF_INET: SocketAddress(bytes.load(as: sockaddr_in.self))
            case AF_INET6: SocketAddress(bytes.load(as: sockaddr_in6.self))
            case AF_UNIX: SocketAddress(bytes.load(as: sockaddr_un.self))
            default: nil
            }
        }
    }
}
