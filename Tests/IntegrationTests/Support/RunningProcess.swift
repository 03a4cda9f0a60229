import Foundation

/// A process that a program under test has started.
struct RunningProcess {
    private let identifier: pid_t

    /// Waits for a process whose command line contains a folder and a phrase.
    static func find(naming folder: URL, _ phrase: String) async throws -> RunningProcess {
        try await poll {
            try CommandLines.all().first { $0.line.contains(folder.path) && $0.line.contains(phrase) }
                .map { RunningProcess(identifier: $0.identifier) }
        }
    }

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Waits until a signal is pending for the process. The process must be stopped, because otherwise the system
    /// delivers the signal immediately.
    func waitUntilPending(_ signal: Int32) async throws {
        try await Self.poll {
            let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
            let mask = status.firstMatch(of: /ShdPnd:\s+([0-9a-f]+)/).flatMap { UInt64($0.1, radix: 16) } ?? 0
            return mask & 1 << UInt64(signal - 1) != 0 ? () : nil
        }
    }

    struct NotSeen: Error {}

    /// Polls until the closure returns a value. The system does not notify this process about processes that are not
    /// its children.
    private static func poll<Value>(_ look: () throws -> Value?) async throws -> Value {
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            if let value = try look() { return value }
            guard ContinuousClock.now < deadline else { throw NotSeen() }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
