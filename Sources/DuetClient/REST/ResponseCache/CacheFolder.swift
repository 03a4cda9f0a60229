import Foundation
import Synchronization

/// The files of a ``ResponseCache``. Each file contains one stored response. The files are in 256 folders, whose names
/// are the first two digits of the file names.
///
/// There is no index of the files. The cache therefore also finds files that other processes have written, and a crash
/// requires no repair. The modification time of a file is the time of its last use. All functions block, so the cache
/// calls them on its serial queue.
final class CacheFolder: Sendable {
    /// The folder. Its name contains the version of the file format, so that a library with a different format uses a
    /// different folder.
    private let folder: URL
    private let maximumSize: Int
    private let maximumFileSize: Int
    private let now: @Sendable () -> Date
    private let notify: @Sendable (ResponseCacheNotice) -> Void
    private let state = Mutex(State())

    private struct State {
        /// The size of all files, if it was determined. It does not include later changes by other processes.
        var size: Int?
        /// The size of the files that were written since ``size`` was determined.
        var written = 0
        var isFailing = false
    }

    private static let temporaryPrefix = "writing-"

    init(
        _ folder: URL, maximumSize: Int, maximumFileSize: Int, now: @escaping @Sendable () -> Date,
        notify: @escaping @Sendable (ResponseCacheNotice) -> Void
    ) {
        self.folder = folder.appending(path: "responses-1", directoryHint: .isDirectory)
        self.maximumSize = maximumSize
        self.maximumFileSize = maximumFileSize
        self.now = now
        self.notify = notify
    }

    // MARK: - Reading

    /// Reads the stored responses whose names begin with a prefix. Removes files that cannot be decoded.
    func read(prefix: String) -> [StoredResponse] {
        files(withPrefix: prefix).compactMap { file in
            guard let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize else { return nil }
            do throws(StoredResponse.Unreadable) {
                guard size <= maximumFileSize else { throw StoredResponse.Unreadable(reason: "it is too long") }
                // Another process may have removed the file.
                guard let bytes = try? Data(contentsOf: file) else { return nil }
                return try StoredResponse(file: bytes, name: file.lastPathComponent)
            } catch {
                remove(file)
                notify(.removedUnreadableFile(file, reason: error.reason))
                return nil
            }
        }
    }

    /// Records a use of a stored response.
    func touch(_ name: String) {
        // Ignore errors, because the file may no longer exist.
        try? FileManager.default.setAttributes([.modificationDate: now()], ofItemAtPath: file(name).path)
    }

    // MARK: - Writing

    /// Writes a response. If the size would exceed the maximum, removes the least recently used responses first.
    func write(_ response: StoredResponse) {
        do {
            let bytes = try response.encoded()
            guard bytes.count <= min(maximumFileSize, maximumSize) else { return }
            makeRoom(for: bytes.count)
            try write(bytes, to: response.name)
            touch(response.name)
            let wasFailing = state.withLock { state in
                state.size? += bytes.count
                state.written += bytes.count
                defer { state.isFailing = false }
                return state.isFailing
            }
            if wasFailing { notify(.writesAgain(folder)) }
        } catch {
            let isNew = state.withLock { state in
                defer { state.isFailing = true }
                return !state.isFailing
            }
            guard isNew else { return }
            if let error = error as? AtomicFile.Failure {
                notify(error.isLackOfSpace ? .diskFull(folder) : .cannotWrite(folder, reason: error.reason))
            } else {
                notify(.cannotWrite(folder, reason: "\(error)"))
            }
        }
    }

    private func write(_ bytes: Data, to name: String) throws {
        let file = file(name)
        let temporary = file.deletingLastPathComponent().appending(path: "\(Self.temporaryPrefix)\(UUID())")
        do throws(AtomicFile.Failure) {
            try AtomicFile.replace(file.path, with: bytes, through: temporary.path)
        } catch {
            // The system may remove an app's caches while the app runs.
            guard error.isMissingFolder else { throw error }
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try AtomicFile.replace(file.path, with: bytes, through: temporary.path)
        }
    }

    // MARK: - Removing

    /// Removes a stored response.
    func remove(_ name: String) { remove(file(name)) }

    /// Removes the stored responses whose names begin with a prefix.
    func remove(prefix: String) { for file in files(withPrefix: prefix) { remove(file) } }

    /// Removes the stored responses whose keys have one of the scopes.
    func remove(scopes: Set<String>) {
        for file in allFiles() {
            // The scope is the third part of a name: see ``ResponseKey/prefix``.
            let parts = file.url.lastPathComponent.split(separator: "-")
            if parts.count == 4, scopes.contains(String(parts[2])) { remove(file.url) }
        }
        state.withLock { $0.size = nil }
    }

    /// Removes all stored responses. Other files are not removed.
    func removeAll() {
        for file in allFiles() { remove(file.url) }
        state.withLock { $0.size = nil }
    }

    private func remove(_ file: URL) {
        // Another process may have removed the file.
        try? FileManager.default.removeItem(at: file)
    }

    private func makeRoom(for size: Int) {
        // After an eighth of the maximum size was written, determine the size again, because other processes may have
        // written files, too.
        let isKnown = state.withLock { state in
            state.size.map { $0 + size <= maximumSize && state.written < maximumSize / 8 } ?? false
        }
        if isKnown { return }
        var files = allFiles()
        var total = files.reduce(0) { $0 + $1.size }
        if total + size > maximumSize {
            files.sort { $0.lastUse < $1.lastUse }
            // Free an additional tenth of the maximum, so that the next writes do not have to list all files.
            let target = maximumSize - maximumSize / 10 - size
            for file in files where total > target {
                remove(file.url)
                total -= file.size
            }
        }
        state.withLock { state in
            state.size = total
            state.written = 0
        }
    }

    // MARK: - Files

    private func file(_ name: String) -> URL {
        folder.appending(path: name.prefix(2), directoryHint: .isDirectory)
            .appending(path: name, directoryHint: .notDirectory)
    }

    /// Returns the files whose names begin with a prefix of at least two digits.
    private func files(withPrefix prefix: String) -> [URL] {
        let folder = file(prefix).deletingLastPathComponent()
        // A folder that does not exist has no files.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.map { folder.appending(path: $0, directoryHint: .notDirectory) }
    }

    /// Lists all stored responses. Removes old temporary files, which a terminated process has left.
    private func allFiles() -> [(url: URL, size: Int, lastUse: Date)] {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let digits = "0123456789abcdef"
        let folders = digits.flatMap { first in digits.map { folder.appending(path: "\(first)\($0)") } }
        var all: [(url: URL, size: Int, lastUse: Date)] = []
        for folder in folders {
            let files = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: Array(keys))
            for file in files ?? [] {
                guard let values = try? file.resourceValues(forKeys: keys), let size = values.fileSize,
                    let lastUse = values.contentModificationDate
                else { continue }
                if !file.lastPathComponent.hasPrefix(Self.temporaryPrefix) {
                    all.append((file, size, lastUse))
                } else if now().timeIntervalSince(lastUse) > 3600 {
                    remove(file)
                }
            }
        }
        return all
    }
}
