import Foundation

/// The report that `make bench` prints. `docs/performance.md` contains it.
final class Report {
    private var lines: [String] = []
    private var sections: [String] = []
    private var notes: [String] = []

    func add(_ backend: String, _ what: String, _ comparison: Comparison, floor: String, goal: Double?, unit: String) {
        let goal = goal.map { String(format: "%.2f", $0) } ?? "–"
        lines.append(
            "| \(backend) | \(what) | \(Int(comparison.figure)) \(unit) | \(floor): \(Int(comparison.floor)) | "
                + String(
                    format: "%.2f (%.2f–%.2f)", comparison.ratio, comparison.spread.lowerBound,
                    comparison.spread.upperBound)
                + " | \(goal) |")
    }

    /// Adds text, such as a separate table.
    func section(_ text: String) {
        sections.append(text)
    }

    /// Adds a sentence. Standard error gets it at once, so that a run that is stopped has shown what it measured.
    func note(_ text: String) {
        notes.append(text)
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    func print(employees: Int, rounds: Int, seconds: Int, connections: Int) {
        let date = Date().formatted(.iso8601.year().month().day())
        let cores = ProcessInfo.processInfo.activeProcessorCount
        Swift.print(
            """

            \(date), \(cores) cores shared with the load generator (wrk, \(connections) connections), \(employees) employees, \
            median of \(rounds) rounds of \(seconds) s.

            """)
        let table = """
            | backend | what | measured | floor of the same run | ratio (lowest–highest) | goal |
            |---|---|---|---|---|---|
            \(lines.joined(separator: "\n"))

            """
        if !lines.isEmpty { Swift.print(table) }
        for section in sections { Swift.print(section + "\n") }
        for note in notes { Swift.print("- \(note)") }
    }
}
