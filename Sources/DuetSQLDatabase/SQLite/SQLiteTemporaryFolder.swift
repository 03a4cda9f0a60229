import Foundation

/// The folder in which SQLite creates temporary files (sqlite.org/tempfiles.html §5). They have no names, so that no
/// file remains after a crash.
enum SQLiteTemporaryFolder {
    /// True if there is such a folder. It can be missing in a container with a read-only file system.
    static let exists = candidates.contains { isWritable($0) }

    /// The folders that SQLite tries, in this order.
    private static var candidates: [String] {
        let environment = ProcessInfo.processInfo.environment
        return [environment["SQLITE_TMPDIR"], environment["TMPDIR"], "/var/tmp", "/usr/tmp", "/tmp", "."]
            .compactMap(\.self)
    }

    private static func isWritable(_ folder: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
            && access(folder, W_OK | X_OK) == 0
    }
}
