import Foundation
package import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A blocking socket that a test creates, as a service manager does for a program, or with which it connects.
package struct BoundSocket: ~Copyable {
    package let descriptor: CInt
    /// The address of the socket.
    package let address: SocketAddress

    /// Creates a Unix domain socket.
    package init(at path: String, isStream: Bool = true, listens: Bool = true) throws {
        let address = try SocketAddress(unixDomainSocketPath: path)
        self.descriptor = try Self.open(address, isStream: isStream, listens: listens)
        self.address = address
    }

    /// Creates a TCP socket on a free port of the loopback interface.
    package init() throws {
        let descriptor = try Self.open(
            try SocketAddress(ipAddress: "127.0.0.1", port: 0), isStream: true, listens: true)
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let local = withUnsafeMutableBytes(of: &storage) { bytes -> SocketAddress? in
            guard let start = bytes.baseAddress,
                getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &size) == 0
            else { return nil }
            return SocketAddress(bytes.load(as: sockaddr_in.self))
        }
        guard let local else {
            defer { close(descriptor) }
            throw Self.error
        }
        self.descriptor = descriptor
        self.address = local
    }

    /// Connects a new socket with a server.
    package init(connectedTo address: SocketAddress) throws {
        descriptor = Self.make(address, isStream: true)
        self.address = address
        let descriptor = descriptor
        guard address.withSockAddr({ connect(descriptor, $0, socklen_t($1)) }) == 0 else { throw Self.error }
    }

    private static func open(_ address: SocketAddress, isStream: Bool, listens: Bool) throws -> CInt {
        let descriptor = make(address, isStream: isStream)
        guard address.withSockAddr({ bind(descriptor, $0, socklen_t($1)) }) == 0,
            !listens || listen(descriptor, SOMAXCONN) == 0
        else {
            defer { close(descriptor) }
            throw Self.error
        }
        return descriptor
    }

    private static func make(_ address: SocketAddress, isStream: Bool) -> CInt {
        #if canImport(Glibc)
            let type = CInt(isStream ? SOCK_STREAM.rawValue : SOCK_DGRAM.rawValue)
        #else
            let type = isStream ? SOCK_STREAM : SOCK_DGRAM
        #endif
        let descriptor = socket(CInt(address.protocol.rawValue), type, 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    deinit { close(self.descriptor) }

    /// Sends a short text.
    package func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        // Without the flag, a connection that the server has reset would end the process of the tests.
        guard Self.write(self.descriptor, bytes) == bytes.count else { throw Self.error }
    }

    private static func write(_ descriptor: CInt, _ bytes: [UInt8]) -> Int {
        #if canImport(Darwin)
            Darwin.send(descriptor, bytes, bytes.count, 0)
        #elseif canImport(Musl)
            Musl.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        #else
            Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        #endif
    }

    /// Receives all bytes until the other side closes the connection.
    package func receiveAll() throws -> String {
        var received: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(self.descriptor, &bytes, bytes.count, 0)
            guard count >= 0 else { throw Self.error }
            guard count > 0 else { return String(decoding: received, as: UTF8.self) }
            received += bytes.prefix(count)
        }
    }

    /// Receives a datagram. Waits for at most a minute.
    package func receive() throws -> String {
        var time = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(self.descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(self.descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw Self.error }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static var error: any Error { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
}
