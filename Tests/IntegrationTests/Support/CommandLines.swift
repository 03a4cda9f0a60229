import Foundation
import ProcessTesting

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

    /// Waits until the command lines meet a condition.
    static func naming(_ folder: URL, until areWanted: ([String]) -> Bool) async throws {
        _ = try await Polling.observe({ try naming(folder) }, until: areWanted)
    }
}
