import DuetHTTPServer
import Foundation
import ServiceLifecycle

/// The service manager that has started the process, such as systemd. It can pass sockets (sd_listen_fds(3)), and it
/// can wait for notifications about the state of the process (sd_notify(3)).
struct ServiceManager: Sendable {
    /// The name of a socket for the admin address (`FileDescriptorName=`).
    static let adminName = "admin"
    private static let firstDescriptor: CInt = 3

    /// The sockets of the API.
    let sockets: [InheritedSocket]
    /// The sockets of the admin address.
    let adminSockets: [InheritedSocket]
    private let notificationSocket: String?

    /// Reads the variables of the service manager and removes them, so that they do not reach other programs. Without a
    /// service manager, there are no sockets.
    /// - Throws: `ExitCode` after a message if a socket cannot be used.
    init() throws {
        let environment = ProcessInfo.processInfo.environment
        for name in ["LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID", "LISTEN_PIDFDID", "NOTIFY_SOCKET"] { unsetenv(name) }
        notificationSocket = environment["NOTIFY_SOCKET"]
        var (sockets, adminSockets): ([InheritedSocket], [InheritedSocket]) = ([], [])
        // The variables can be those of a parent process.
        if environment["LISTEN_PID"] == String(getpid()), let text = environment["LISTEN_FDS"] {
            guard let count = CInt(text), (0...1024).contains(count) else {
                throw StartFailure.report("LISTEN_FDS must be the number of sockets, not \"\(text)\"")
            }
            let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
            for index in 0..<Int(count) {
                let name = index < names.count ? String(names[index]) : "unknown"
                do throws(InheritedSocket.Unusable) {
                    let descriptor = Self.firstDescriptor + CInt(index)
                    let socket = try InheritedSocket(
                        descriptor: descriptor, name: "the inherited socket \(descriptor) (\(name))")
                    if name == Self.adminName { adminSockets.append(socket) } else { sockets.append(socket) }
                } catch {
                    throw StartFailure.report("\(error)")
                }
            }
        }
        self.sockets = sockets
        self.adminSockets = adminSockets
    }

    /// Notifies the service manager that the process accepts requests.
    func notifyReady() { notify("READY=1") }

    /// A service that notifies the service manager about the shutdown; nil if no service manager waits for it.
    var shutdownNotifier: (any Service)? { notificationSocket == nil ? nil : ShutdownNotifier(manager: self) }

    private struct ShutdownNotifier: Service {
        let manager: ServiceManager

        func run() async throws {
            try await gracefulShutdown()
            manager.notify("STOPPING=1")
        }
    }

    /// Sends a datagram. A service manager that does not receive it reports this as a failed start.
    private func notify(_ state: String) {
        guard let notificationSocket, notificationSocket.hasPrefix("/") || notificationSocket.hasPrefix("@") else {
            return
        }
        var name = Array(notificationSocket.utf8)
        // An abstract name begins with a null byte (unix(7)).
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
        let length = socklen_t(offset + name.count + (name[0] == 0 ? 0 : 1))
        #if canImport(Glibc)
            let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let message = Array(state.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, 0, $0, length)
            }
        }
    }
}
