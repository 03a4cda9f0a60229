import Foundation

/// A server that has just been started, and that nobody else asks.
package struct FreshServer: Sendable {
    /// `http://127.0.0.1:PORT`.
    let base: String
    /// The process.
    let identifier: Int32

    /// - Parameter identifier: of a process on this machine.
    package init(base: String, identifier: Int32) {
        self.base = base
        self.identifier = identifier
    }

    /// What the system says of the process's memory, in KiB (Linux, `proc_pid_status(5)`).
    struct Memory: Sendable {
        let resident: Int
        /// The most that has been resident since the process began, or since ``resetPeak()``.
        let peak: Int
    }

    /// - Returns: `nil` where the system does not tell.
    func memory() -> Memory? {
        guard let text = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8) else { return nil }
        func kibibytes(_ name: String) -> Int? {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        }
        guard let resident = kibibytes("VmRSS"), let peak = kibibytes("VmHWM") else { return nil }
        return Memory(resident: resident, peak: peak)
    }

    /// What the process has had until now is no peak any more.
    /// - Returns: whether the system can do that.
    func resetPeak() -> Bool {
        guard let file = FileHandle(forWritingAtPath: "/proc/\(identifier)/clear_refs") else { return false }
        return (try? file.write(contentsOf: Data("5".utf8))) != nil
    }
}
