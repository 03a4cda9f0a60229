import Foundation

/// The process of a server that was started for a measurement and has no other clients. Linux reports the memory of the
/// process.
package struct ServerProcess: Sendable {
    /// The base address: `http://127.0.0.1:PORT`.
    package let base: String
    /// The process ID.
    let identifier: Int32

    /// Reads the memory from `/proc/PID/status` (`proc_pid_status(5)`).
    /// - Returns: The memory; nil if the operating system does not report it.
    package func memory() -> ServerMemory? {
        guard let text = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8) else { return nil }
        func kibibytes(_ name: String) -> Int? {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        }
        guard let resident = kibibytes("VmRSS"), let peak = kibibytes("VmHWM") else { return nil }
        return ServerMemory(resident: resident, peak: peak)
    }

    /// Sets the peak memory to the current resident memory, by writing to `/proc/PID/clear_refs`
    /// (`proc_pid_clear_refs(5)`).
    /// - Returns: True if the operating system supports the operation.
    package func resetPeak() -> Bool {
        guard let file = FileHandle(forWritingAtPath: "/proc/\(identifier)/clear_refs") else { return false }
        return (try? file.write(contentsOf: Data("5".utf8))) != nil
    }
}

/// The memory of a server's process, in KiB.
package struct ServerMemory: Sendable {
    /// The resident memory.
    package let resident: Int
    /// The maximum resident memory since the last call of ``ServerProcess/resetPeak()``, or since the process started.
    package let peak: Int

    package init(resident: Int, peak: Int) {
        self.resident = resident
        self.peak = peak
    }
}
