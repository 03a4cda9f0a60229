import Foundation
import Synchronization

/// A server that never responds. The operating system accepts the connections.
final class SilentServer: Sendable {
    let port: Int
    private let descriptor: Int32
    private let isClosed = Atomic<Bool>(false)

    init() throws {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, size) = (descriptor, length)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                [bind(descriptor, pointer, size), listen(descriptor, 16), getsockname(descriptor, pointer, &length)]
            }
        }
        guard descriptor >= 0, result == [0, 0, 0] else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Closes the server and its connections.
    func close() {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
        Foundation.close(descriptor)
    }

    deinit {
        close()
    }
}
