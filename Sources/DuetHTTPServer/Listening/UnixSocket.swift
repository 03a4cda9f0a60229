import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The path of a Unix domain socket, and who may connect to it.
package struct UnixSocket: Sendable, Hashable {
    /// The maximum length of a path in bytes. The address has room for one more byte, which ends the path (unix(7)).
    package static let maximumPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    package var path: String
    /// The permissions of the file. A client needs the permission to write.
    package var permissions: UInt16
    /// The group of the file; nil for that of the process or of the folder.
    package var group: UInt32?

    package init(path: String, permissions: UInt16 = 0o660, group: UInt32? = nil) {
        self.path = path
        self.permissions = permissions
        self.group = group
    }

    private var folder: String {
        guard let end = self.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return end == self.path.startIndex ? "/" : String(self.path[..<end])
    }

    /// Creates the socket and listens. A socket at the path on which no process listens is replaced.
    /// - Parameter backlog: The maximum number of connections that wait.
    func open(backlog: CInt) throws(ListeningError.Reason) -> OpenUnixSocket {
        let lock = try FolderLock.wait(for: self.folder)
        defer { lock.release() }
        try self.removeStale()
        let descriptor = try Self.makeDescriptor()
        do throws(ListeningError.Reason) {
            // Linux creates the file with the permissions of the descriptor. Until the file has its group, only the
            // owner can connect.
            _ = fchmod(descriptor, mode_t(self.permissions) & 0o600)
            try self.withAddress { bind(descriptor, $0, $1) }
            let opened = OpenUnixSocket(
                path: self.path, descriptor: descriptor, identity: try FileIdentity.of(self.path), folder: self.folder)
            do throws(ListeningError.Reason) {
                if let group = self.group, lchown(self.path, uid_t.max, gid_t(group)) != 0 {
                    throw errno == EPERM ? .groupNotPermitted : .system(errno)
                }
                guard chmod(self.path, mode_t(self.permissions)) == 0, listen(descriptor, backlog) == 0 else {
                    throw .system(errno)
                }
            } catch {
                unlink(self.path)
                throw error
            }
            return opened
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Removes the socket at the path if no process listens on it.
    private func removeStale() throws(ListeningError.Reason) {
        var file = stat()
        guard lstat(self.path, &file) == 0 else { return }
        guard file.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket }
        let descriptor = try Self.makeDescriptor()
        defer { close(descriptor) }
        // A server whose queue is full would block the connection.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        do throws(ListeningError.Reason) {
            try self.withAddress { connect(descriptor, $0, $1) }
        } catch {
            switch error {
            case .system(ECONNREFUSED):
                guard unlink(self.path) == 0 || errno == ENOENT else { throw .system(errno) }
                return
            case .system(ENOENT): return
            case .system(EACCES), .system(EPERM): throw .ofAnotherUser
            default: throw .inUse
            }
        }
        throw .inUse
    }

    private func withAddress(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws(ListeningError.Reason) {
        guard let address = try? SocketAddress(unixDomainSocketPath: self.path) else { throw .system(ENAMETOOLONG) }
        let failure = address.withSockAddr { body($0, socklen_t($1)) == 0 ? 0 : errno }
        guard failure == 0 else { throw .system(failure) }
    }

    private static func makeDescriptor() throws(ListeningError.Reason) -> CInt {
        #if canImport(Glibc)
            let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw .system(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }
}

/// A Unix domain socket on which the process listens.
struct OpenUnixSocket: Sendable {
    fileprivate let path: String
    let descriptor: CInt
    fileprivate let identity: FileIdentity
    fileprivate let folder: String

    /// Removes the file, unless another process has replaced it. The socket must still be open, because the system can
    /// use the number of the file again after it is closed. The function does not wait for the lock of the folder,
    /// because any user who may read the folder can hold it.
    func removeFile() {
        let lock = try? FolderLock(self.folder)
        defer { lock?.release() }
        guard let current = try? FileIdentity.of(self.path), current == self.identity else { return }
        unlink(self.path)
    }
}

/// The numbers that identify a file while it exists.
private struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64

    static func of(_ path: String) throws(ListeningError.Reason) -> FileIdentity {
        var file = stat()
        guard lstat(path, &file) == 0 else { throw .system(errno) }
        return FileIdentity(device: UInt64(truncatingIfNeeded: file.st_dev), number: UInt64(file.st_ino))
    }
}

/// Excludes other servers while a server examines and replaces a socket in a folder.
private struct FolderLock {
    private let descriptor: CInt

    /// - Throws: `locked` if another process holds the lock.
    init(_ folder: String) throws(ListeningError.Reason) {
        self.descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard self.descriptor >= 0 else { throw .system(errno) }
        guard flock(self.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(self.descriptor)
            throw number == EWOULDBLOCK ? .locked : .system(number)
        }
    }

    /// Locks a folder. Other servers hold the lock for much less than the second that the function waits.
    static func wait(for folder: String) throws(ListeningError.Reason) -> FolderLock {
        for _ in 0..<100 {
            do throws(ListeningError.Reason) {
                return try FolderLock(folder)
            } catch .locked {
                usleep(10_000)
            }
        }
        throw .locked
    }

    func release() { close(self.descriptor) }
}
