import NIOCore

/// An address at which a server accepts connections.
package enum ListeningAddress: Sendable {
    /// A host name or an IP address, and a TCP port; 0 for any free port.
    case tcp(host: String, port: Int)
    /// A Unix domain socket, which the server creates.
    case unix(UnixSocket)
    /// A socket that another process has created.
    case inherited(InheritedSocket)

    /// True if only clients on this machine can connect.
    package var isOfThisMachine: Bool {
        switch self {
        case .tcp(let host, _): ["127.0.0.1", "::1", "localhost"].contains(host)
        case .unix: true
        case .inherited(let socket):
            switch socket.localAddress {
            case .unixDomainSocket: true
            case .v4, .v6: socket.host.map { $0.hasPrefix("127.") || $0 == "::1" } ?? false
            }
        }
    }

    /// The host name or the IP address; nil for a Unix domain socket.
    package var host: String? {
        switch self {
        case .tcp(let host, _): host
        case .unix: nil
        case .inherited(let socket): socket.host
        }
    }
}

/// An error: a server cannot listen at an address.
package struct ListeningError: Error {
    /// The cause of the error.
    package enum Reason: Error, Hashable {
        /// Another process accepts connections at the address.
        case inUse
        /// The host is not an address of this machine.
        case unknownHost
        /// The file at the path exists, and is not a socket.
        case notASocket
        /// The socket at the path belongs to another user, so it is unknown if a process listens.
        case ofAnotherUser
        /// Another process locks the folder of the socket.
        case locked
        /// The process must not give the socket to the group.
        case groupNotPermitted
        /// An operation failed with an error number.
        case system(Int32)
    }

    package let address: ListeningAddress
    package let reason: Reason
}
