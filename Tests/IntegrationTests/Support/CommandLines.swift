import Foundation

/// The command lines of running processes.
enum CommandLines {
    /// Returns the command lines of all processes.
    static func all() throws -> [(identifier: pid_t, line: String)] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
            // A process that has ended since it was listed has no command line.
            guard let identifier = pid_t(name),
                let line = try? String(contentsOfFile: "/proc/\(name)/cmdline", encoding: .utf8)
            else { return nil }
            return (identifier, line)
        }
    }

    /// Returns the command lines that contain the path of a folder.
    static func naming(_ folder: URL) throws -> [String] {
        try all().map(\.line).filter { $0.contains(folder.path) }
    }

    struct NotAsWanted: Error {
        let lines: [String]
    }

    /// Polls until the command lines meet a condition.
    static func naming(_ folder: URL, until areWanted: ([String]) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            let lines = try naming(folder)
            if areWanted(lines) { return }
            guard ContinuousClock.now < deadline else { throw NotAsWanted(lines: lines) }
            // The system does not report the start or end of processes that are not children of this process.
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
