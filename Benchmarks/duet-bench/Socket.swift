import Foundation

/// Blocking sockets for the loopback interface.
enum Socket {
    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    private static func make() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Duet.Failure(description: "cannot create a socket: errno \(errno)") }
        return descriptor
    }

    /// Opens a connection. The caller must close it.
    @discardableResult
    static func connect(port: Int) throws -> Int32 {
        let descriptor = try make()
        var address = address(port: port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Duet.Failure(description: "cannot connect to port \(port): errno \(errno)")
        }
        return descriptor
    }

    /// Creates a socket that is bound to a free port.
    static func listening() throws -> (descriptor: Int32, port: Int) {
        let descriptor = try make()
        var address = address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Duet.Failure(description: "cannot bind a free port: errno \(errno)")
        }
        return (descriptor, Int(in_port_t(bigEndian: address.sin_port)))
    }
}
