import Foundation
import ProcessTesting
import Testing

/// A process that a program under test has started.
struct RunningProcess {
    private let identifier: pid_t

    /// Waits for a process whose command line contains a folder and a phrase.
    static func find(naming folder: URL, _ phrase: String) async throws -> RunningProcess {
        let found = try await Polling.observe(
            {
                try CommandLines.all().first { $0.line.contains(folder.path) && $0.line.contains(phrase) }
            }, until: { $0 != nil })
        return RunningProcess(identifier: try #require(found).identifier)
    }

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Waits until a signal is pending for the process. The process must be stopped, because otherwise the system
    /// delivers the signal immediately.
    func waitUntilPending(_ signal: Int32) async throws {
        _ = try await Polling.observe(
            {
                let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
                return status.firstMatch(of: /ShdPnd:\s+([0-9a-f]+)/).flatMap { UInt64($0.1, radix: 16) } ?? 0
            }, until: { $0 & 1 << UInt64(signal - 1) != 0 })
    }
}
