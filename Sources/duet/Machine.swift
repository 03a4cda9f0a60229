import Foundation

/// The properties of this machine, for reports.
enum Machine {
    /// The names and values of the properties.
    static var description: [(String, String)] {
        let info = ProcessInfo.processInfo
        return [
            ("date", Date.now.formatted(.iso8601.year().month().day())), ("processor", processor),
            ("cores", String(info.activeProcessorCount)),
            ("memory", "\(info.physicalMemory >> 20) MiB"), ("system", info.operatingSystemVersionString),
        ]
    }

    private static var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
    }
}
