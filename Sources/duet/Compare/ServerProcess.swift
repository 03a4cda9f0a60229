import DuetComparison
import Foundation

/// A server process on this machine. Linux reports the memory of the process.
struct ServerProcess: FreshServer {
    let base: String
    /// The process ID.
    let identifier: Int32

    /// Reads the memory from `/proc/PID/status` (`proc_pid_status(5)`).
    func memory() -> ServerMemory? {
        guard let text = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8) else { return nil }
        func kibibytes(_ name: String) -> Int? {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        }
        guard let resident = kibibytes("VmRSS"), let peak = kibibytes("VmHWM") else { return nil }
        return ServerMemory(resident: resident, peak: peak)
    }

    /// Resets the peak of the memory by writing to `/proc/PID/clear_refs` (`proc_pid_clear_refs(5)`).
    func resetPeak() -> Bool {
        guard let file = FileHandle(forWritingAtPath: "/proc/\(identifier)/clear_refs") else { return false }
        return (try? file.write(contentsOf: Data("5".utf8))) != nil
    }
}
