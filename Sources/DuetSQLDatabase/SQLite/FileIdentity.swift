import Foundation

/// The device and inode number of a file, which identify the file independently of its path.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// - Returns: `nil` if there is no file at the path.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
