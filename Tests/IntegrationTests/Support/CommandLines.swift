import Foundation

/// The command lines of processes that run.
enum CommandLines {
    /// Those in which a folder stands.
    static func naming(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
            // One that has ended since it was listed has none any more.
            .compactMap { try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8) }
            .filter { $0.contains(folder.path) }
    }

    struct NotAsWanted: Error {
        let lines: [String]
    }

    /// Looks again and again, until they are as wanted.
    static func naming(_ folder: URL, until areWanted: ([String]) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let lines = try naming(folder)
            if areWanted(lines) { return }
            guard ContinuousClock.now < deadline else { throw NotAsWanted(lines: lines) }
            // Nobody is told when a process that is not a child of its own begins or ends.
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
