import Foundation

/// What processes of this machine have taken of its processors.
enum ProcessorTime {
    /// The time of a process and of the children it has now, each of which has one thread.
    /// - Returns: `nil` where the system does not tell: it is Linux's `/proc/PID/schedstat`, which is in nanoseconds.
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
