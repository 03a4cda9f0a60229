import Foundation
import ProcessTesting
import Testing

/// A file system of a few kilobytes, in memory.
enum SmallFileSystem {
    /// Returns true if this process may mount one.
    static var isPossible: Bool {
        #if os(Linux)
            geteuid() == 0
        #else
            false
        #endif
    }

    /// Calls a closure with the folder of an empty file system.
    static func with(kilobytes: Int, _ body: (URL) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let mount = folder.appending(path: "small")
            try FileManager.default.createDirectory(at: mount, withIntermediateDirectories: true)
            let mounted = try await Program.shell("mount -t tmpfs -o size=\(kilobytes)k tmpfs small", in: folder)
            try #require(mounted.status == 0, "\(mounted.errors)")
            do {
                try await body(mount)
            } catch {
                _ = try await Program.shell("umount -l small", in: folder)
                throw error
            }
            // Lazily: a cache may still have its file open, and the file system goes when that is closed.
            let unmounted = try await Program.shell("umount -l small", in: folder)
            #expect(unmounted.status == 0, "\(unmounted.errors)")
        }
    }

    /// Fills the file system of a folder.
    /// - Returns: the file that fills it.
    static func fill(_ folder: URL) throws -> URL {
        let url = folder.appending(path: "filler")
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        for size in [65_536, 4096, 512, 1] {
            let block = Data(repeating: 0, count: size)
            // Fails when there is no room for another block.
            while (try? file.write(contentsOf: block)) != nil {}
        }
        return url
    }
}
