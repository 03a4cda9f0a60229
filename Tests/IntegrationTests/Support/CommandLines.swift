import Foundation

/// The command lines of processes that run.
enum CommandLines {
    /// All of them.
    static func all() throws -> [(identifier: pid_t, line: String)] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
            // A process that has ended since it was listed has no command line any more.
            guard let identifier = pid_t(name),
                let line = try? String(contentsOfFile: "/proc/\(name)/cmdline", encoding: .utf8)
            else { return nil }
            return (identifier, line)
        }
    }

    /// Those in which a folder occurs.
    static func naming(_ folder: URL) throws -> [String] {
        try all().map(\.line).filter { $0.contains(folder.path) }
    }

    struct NotAsWanted: Error {
        let lines: [String]
    }

    /// Looks again and again, until they are as wanted.
    static func naming(_ folder: URL, until areWanted: ([String]) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            let lines = try naming(folder)
            if areWanted(lines) { return }
            guard ContinuousClock.now < deadline else { throw NotAsWanted(lines: lines) }
            // Nobody is told when a process that is not a child of its own begins or ends.
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
