import Foundation

/// The resource usage of a process, as Linux reports it (proc(5)). Times are totals since the process started.
struct ProcessUsage {
    /// The processor time in user code, in seconds.
    var userTime = 0.0
    /// The processor time in the kernel, in seconds.
    var systemTime = 0.0
    /// The number of voluntary and involuntary context switches of the current threads.
    var contextSwitches = 0
    /// The resident memory in KiB.
    var residentMemory = 0
    /// The maximum resident memory in KiB.
    var peakMemory = 0

    init(of identifier: Int32) {
        let folder = "/proc/\(identifier)"
        // The program name is in parentheses and may contain spaces. The fields after the name have no parentheses.
        let fields = Self.text(folder + "/stat").split(separator: ")").last?.split(separator: " ") ?? []
        let tick = Double(sysconf(Int32(_SC_CLK_TCK)))
        if fields.count > 12 {
            userTime = (Double(fields[11]) ?? 0) / tick
            systemTime = (Double(fields[12]) ?? 0) / tick
        }
        let status = Self.text(folder + "/status")
        residentMemory = Self.number("VmRSS:", in: status)
        peakMemory = Self.number("VmHWM:", in: status)
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder + "/task")) ?? [] {
            let status = Self.text("\(folder)/task/\(thread)/status")
            contextSwitches +=
                Self.number("voluntary_ctxt_switches:", in: status)
                + Self.number("nonvoluntary_ctxt_switches:", in: status)
        }
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    private static func number(_ name: String, in status: String) -> Int {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
