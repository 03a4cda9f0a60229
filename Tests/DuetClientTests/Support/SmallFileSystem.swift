import Foundation
import ProcessTesting
import Testing

/// A file system with a size of a few kilobytes, in memory.
enum SmallFileSystem {
    /// True if this process is permitted to mount a file system.
    static var isPossible: Bool {
        #if os(Linux)
            geteuid() == 0
        #else
            false
        #endif
    }

    /// Calls a closure with the root folder of an empty file system.
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
            // A cache can still have its file open. A lazy unmount removes the file system when the file is closed.
            let unmounted = try await Program.shell("umount -l small", in: folder)
            #expect(unmounted.status == 0, "\(unmounted.errors)")
        }
    }

    /// Fills the file system of a folder.
    /// - Returns: The file that fills the file system.
    static func fill(_ folder: URL) throws -> URL {
        let url = folder.appending(path: "filler")
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        for size in [65_536, 4096, 512, 1] {
            let block = Data(repeating: 0, count: size)
            // The write fails if there is no space for another block.
            while (try? file.write(contentsOf: block)) != nil {}
        }
        return url
    }
}
