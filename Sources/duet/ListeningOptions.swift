import ArgumentParser
import DuetHTTPServer
import DuetServer
import Foundation

/// The options of `duet serve` for the addresses at which it listens, in addition to `--host` and `--port`.
struct ListeningOptions: ParsableArguments {
    private static let standard = UnixSocket(path: "")

    static let socket = Setting<String, String?>(
        "socket",
        "Path of a Unix domain socket to listen on instead of --host and --port",
        valueName: "path", default: nil, defaultText: "none",
        requirement: "a path of at most \(UnixSocket.maximumPathLength) bytes"
    ) { (1...UnixSocket.maximumPathLength).contains($0.utf8.count) ? .some($0) : nil }
    static let socketMode = Setting<String, UInt16>(
        "socket-mode", "Permissions of the socket; a client needs the permission to write", valueName: "mode",
        default: standard.permissions, defaultText: "0\(String(standard.permissions, radix: 8))",
        requirement: "an octal number from 0600 to 0777"
    ) { text in
        UInt16(text, radix: 8).flatMap { (0o600...0o777).contains($0) ? $0 : nil }
    }
    static let socketGroup = Setting<String, UInt32?>(
        "socket-group", "Group of the socket, such as www-data", valueName: "name", default: nil,
        defaultText: "the group of the process", requirement: "the name or the number of a group of this machine"
    ) { text in
        Self.group(text).map { .some($0) }
    }
    static let adminHost = Setting(
        "admin-host", "Address for --admin-port", valueName: "address", default: "127.0.0.1")
    static let adminPort = Setting<Int, Int?>(
        "admin-port",
        "TCP port of health, metrics and debugging; the API then has only health. Requests need no token, and connections are not encrypted; 0 for any free port",
        default: nil, defaultText: "none; they are paths of the API", in: 0...65_535
    ) { $0 }

    @Option(Self.socket) var socket: String?
    @Option(Self.socketMode) var socketMode: String?
    @Option(Self.socketGroup) var socketGroup: String?
    @Option(Self.adminHost) var adminHost: String?
    @Option(Self.adminPort) var adminPort: Int?

    /// Sets the addresses of a server. On the command line, an option that would have no effect is an error. Variables
    /// without an effect are ignored, because an image or a unit can contain them for all cases.
    /// - Parameters:
    ///   - settings: Contains the host and the port.
    ///   - host: The argument of `--host`.
    ///   - port: The argument of `--port`.
    /// - Throws: `ValidationError`.
    func apply(to settings: inout ServerSettings, _ manager: ServiceManager, host: String?, port: Int?) throws {
        let tcp = host != nil ? ServeCommand.host.name : port != nil ? ServeCommand.port.name : nil
        let path = try Self.socket.value(socket)
        let permissions = try Self.socketMode.value(socketMode)
        let group = try Self.socketGroup.value(socketGroup)
        let ofSocket =
            socketMode != nil ? Self.socketMode.name : socketGroup != nil ? Self.socketGroup.name : nil
        if !manager.sockets.isEmpty {
            if let option = tcp ?? (socket != nil ? Self.socket.name : ofSocket) {
                throw ValidationError(
                    "--\(option) cannot be combined with a socket of the service manager (LISTEN_FDS); its unit contains the address"
                )
            }
            settings.addresses = manager.sockets.map { .inherited($0) }
        } else if let path, tcp == nil || socket != nil {
            if let tcp {
                throw ValidationError("--\(tcp) cannot be combined with --\(Self.socket.name); omit one of them")
            }
            settings.addresses = [.unix(UnixSocket(path: path, permissions: permissions, group: group))]
        } else if let ofSocket {
            throw ValidationError("--\(ofSocket) requires --\(Self.socket.name)")
        }
        try applyAdmin(to: &settings, manager)
    }

    private func applyAdmin(to settings: inout ServerSettings, _ manager: ServiceManager) throws {
        let host = try Self.adminHost.value(adminHost)
        let port = try Self.adminPort.value(adminPort)
        if !manager.adminSockets.isEmpty {
            if adminPort != nil || adminHost != nil {
                throw ValidationError(
                    "--\(adminPort == nil ? Self.adminHost.name : Self.adminPort.name) cannot be combined with an admin socket of the service manager (LISTEN_FDS); its unit contains the address"
                )
            }
            settings.adminAddresses = manager.adminSockets.map { .inherited($0) }
        } else if let port {
            if settings.addresses == nil, port != 0, port == settings.port, host == settings.host {
                throw ValidationError("\(Self.adminPort.source(adminPort)) must be different from the port of the API")
            }
            settings.adminAddresses = [.tcp(host: host, port: port)]
        } else if adminHost != nil {
            throw ValidationError("--\(Self.adminHost.name) requires --\(Self.adminPort.name)")
        }
    }

    /// Returns the number of a group; nil if the group does not exist.
    private static func group(_ text: String) -> UInt32? {
        // The last number means that the group does not change (chown(2)).
        if let number = UInt32(text) { return number == .max ? nil : number }
        // The program looks up one group, before it has other threads that do the same.
        return getgrnam(text).map { UInt32($0.pointee.gr_gid) }
    }

    // MARK: Errors

    /// Returns the message for an address at which the server cannot listen.
    /// - Parameters:
    ///   - host: The argument of `--host`.
    ///   - port: The argument of `--port`.
    func message(for error: DuetServer.StartError, host: String?, port: Int?) -> String {
        let isAdmin = error.isAdmin
        let error = error.cause
        switch error.address {
        case .tcp(let name, let number):
            let hostSource = isAdmin ? Self.adminHost.source(adminHost) : ServeCommand.host.source(host)
            let portSource = isAdmin ? Self.adminPort.source(adminPort) : ServeCommand.port.source(port)
            return switch error.reason {
            case .inUse: "port \(number) of \(name) is in use by another process; choose another with \(portSource)"
            case .unknownHost:
                "\(name) is not an address of this machine; choose one with \(hostSource), such as 127.0.0.1 or 0.0.0.0"
            default: "cannot listen on port \(number) of \(name): \(Self.text(error.reason))"
            }
        case .unix(let unix):
            let source = Self.socket.source(socket)
            return switch error.reason {
            case .inUse:
                "another server listens on the socket \(unix.path); stop it, or choose another path with \(source)"
            case .notASocket: "\(unix.path) exists and is not a socket; choose another path with \(source)"
            case .ofAnotherUser:
                "the socket \(unix.path) belongs to another user; remove it if no server uses it, or choose another path with \(source)"
            case .locked:
                "another process locks the folder of the socket \(unix.path); stop it, or choose another folder with \(source)"
            case .groupNotPermitted:
                "the socket \(unix.path) cannot have this group, because the user of the process is not a member; choose another with \(Self.socketGroup.source(socketGroup))"
            case .unknownHost, .system:
                "cannot create the socket \(unix.path): \(Self.text(error.reason)); choose a folder that exists and that the process may read and change with \(source)"
            }
        case .inherited(let socket):
            return "cannot listen on the inherited socket \(socket.localAddress.text): \(Self.text(error.reason))"
        }
    }

    private static func text(_ reason: ListeningError.Reason) -> String {
        if case .system(let number) = reason { String(cString: strerror(number)) } else { "\(reason)" }
    }
}
