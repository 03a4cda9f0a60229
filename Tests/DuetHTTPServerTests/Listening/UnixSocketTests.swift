import DuetHTTPServer
import Foundation
import NIOCore
import ProcessTesting
import Testing

/// The files of Unix domain sockets, and inherited sockets.
@Suite struct UnixSocketTests {
    private static func server(_ path: String, permissions: UInt16 = 0o660) -> ListeningServer {
        ListeningServer([.unix(UnixSocket(path: path, permissions: permissions))])
    }

    private static func reason(_ path: String) async -> ListeningError.Reason? {
        await #expect(throws: ListeningError.self) { _ = try await server(path).listener.start() }?.reason
    }

    @Test("The file of a socket has the permissions of the settings, and is removed at the shutdown")
    func permissions() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.appending(path: "s").path
            for permissions: UInt16 in [0o600, 0o660, 0o666] {
                let server = Self.server(path, permissions: permissions)
                try await server.run { addresses in
                    let attributes = try FileManager.default.attributesOfItem(atPath: path)
                    #expect(attributes[.posixPermissions] as? Int == Int(permissions))
                    server.listener.shutDown()
                    #expect(!FileManager.default.fileExists(atPath: path))
                }
            }
        }
    }

    @Test("A socket on which a server listens is refused, and a socket without a server is replaced")
    func existing() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.appending(path: "s").path
            try await Self.server(path).run { _ in #expect(await Self.reason(path) == .inUse) }
            do { _ = try BoundSocket(at: path) }
            #expect(FileManager.default.fileExists(atPath: path))
            try await Self.server(path).run { addresses in
                let head = try await ListeningServer.get("/", at: addresses[0])
                #expect(head.hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test("A file that is not a socket stays, and so does a link")
    func otherFiles() async throws {
        try await TemporaryFolder.with { folder in
            let (file, link) = (folder.appending(path: "file").path, folder.appending(path: "link").path)
            try Data("text".utf8).write(to: URL(filePath: file))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
            for path in [file, link, folder.path] { #expect(await Self.reason(path) == .notASocket) }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "text")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "nowhere")
        }
    }

    @Test("A process that locks the folder prevents the start with an error, but neither the shutdown nor the removal")
    func lockedFolder() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.appending(path: "s").path
            let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(descriptor) }
            try await Self.server(path).run { _ in #expect(flock(descriptor, LOCK_EX) == 0) }
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(await Self.reason(path) == .locked)
        }
    }

    @Test("A server does not remove the socket by which another one has replaced its own")
    func replaced() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.appending(path: "s").path
            let old = Self.server(path)
            try await old.run { _ in
                unlink(path)
                try await Self.server(path).run { addresses in
                    old.listener.shutDown()
                    let head = try await ListeningServer.get("/", at: addresses[0])
                    #expect(head.hasPrefix("HTTP/1.1 200 "))
                }
            }
        }
    }

    @Test("An inherited socket is served, its file stays, and a connection that waits is answered by the next server")
    func inherited() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.appending(path: "s").path
            let socket = try BoundSocket(at: path)
            func server() throws -> ListeningServer {
                ListeningServer([.inherited(try InheritedSocket(descriptor: dup(socket.descriptor), name: "it"))])
            }
            let first = try server()
            try await first.run { addresses in
                #expect(addresses.map(\.text) == [path])
                _ = try await ListeningServer.get("/1", at: addresses[0])
            }
            try await ListeningServer.connect(to: try SocketAddress(unixDomainSocketPath: path)) { client in
                let second = try server()
                try await second.run { _ in
                    let head = try await client.get("/2")
                    #expect(head.hasPrefix("HTTP/1.1 200 "))
                }
                #expect(first.targets == ["/1"] && second.targets == ["/2"])
            }
        }
    }

    @Test("An inherited descriptor that does not accept connections is refused with what to change")
    func unusable() async throws {
        try await TemporaryFolder.with { folder in
            let datagram = try BoundSocket(at: folder.appending(path: "d").path, isStream: false, listens: false)
            let silent = try BoundSocket(at: folder.appending(path: "s").path, listens: false)
            for (descriptor, text) in [
                (datagram.descriptor, "it is not a stream socket; use ListenStream= in its unit"),
                (silent.descriptor, "it does not listen; use Accept=no in its unit"),
                (-1, "it is not a stream socket; use ListenStream= in its unit"),
            ] {
                let error = #expect(throws: InheritedSocket.Unusable.self) {
                    _ = try InheritedSocket(descriptor: descriptor, name: "it")
                }
                #expect(error?.description == text)
            }
        }
    }
}
