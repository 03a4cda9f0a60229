import Foundation

/// The processor time of processes on this machine.
enum ProcessorTime {
    /// Returns the processor time of a process and its current children. Each of them must be single-threaded.
    /// - Returns: The time; nil if the system does not have Linux's `/proc/PID/schedstat`, which reports nanoseconds.
    static func ofFamily(_ identifier: Int32) -> Duration? {
        guard let children = text("/proc/\(identifier)/task/\(identifier)/children") else { return nil }
        var total = Duration.zero
        for member in [identifier] + children.split(whereSeparator: \.isWhitespace).compactMap({ Int32($0) }) {
            guard let time = text("/proc/\(member)/schedstat")?.split(separator: " ").first.flatMap({ Int64($0) })
            else {
                return nil
            }
            total += .nanoseconds(time)
        }
        return total
    }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
