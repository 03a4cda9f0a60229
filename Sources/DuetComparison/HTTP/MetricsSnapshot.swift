/// The metrics of a server at one moment, read from the text format of Prometheus.
struct MetricsSnapshot: Sendable {
    /// The values, keyed by the name of the series with its labels.
    private var values: [Substring: Double] = [:]

    /// - Parameter text: Lines of `name{labels} value`. Comments are ignored.
    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            values[line[..<space]] = value
        }
    }

    /// Returns the value of a series; nil if it does not exist. The name includes the labels, if any.
    subscript(name: String) -> Double? { values[Substring(name)] }

    /// Returns the sum of a series over both API styles (`rest` and `graphql`). The style must be the only label of the
    /// series. The result is nil if the series does not exist. Background work of the server, such as recording the use
    /// of persisted queries, has the style `other` and is excluded.
    func sumOfStyles(_ name: String) -> Double? {
        let values = ["rest", "graphql"].compactMap { self["\(name){style=\"\($0)\"}"] }
        return values.isEmpty ? nil : values.reduce(0, +)
    }
}

/// The numbers of SQL statements that a server executed, and of rows that the statements read, between two snapshots.
struct ServerWork: Sendable {
    let statements: Int?
    let rows: Int?

    init(from start: MetricsSnapshot, to end: MetricsSnapshot) {
        func growth(_ name: String) -> Int? {
            guard let before = start.sumOfStyles(name), let after = end.sumOfStyles(name) else { return nil }
            return Int(after - before)
        }
        statements = growth("duet_statements_total")
        rows = growth("duet_rows_read_total")
    }
}
