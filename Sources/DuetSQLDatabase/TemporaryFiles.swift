import Foundation

/// The folder of temporary files. It is the folder in which SQLite creates its own (sqlite.org/tempfiles.html §5). The
/// files have no names, so that no file remains after a crash.
package enum TemporaryFiles {
    /// The path of the folder; nil if there is none. It can be missing in a container with a read-only file system.
    package static let folder = candidates.first { isWritable($0) }

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
