/// The metrics of a server at one moment, read from the text format of Prometheus.
struct MetricsSnapshot: Sendable {
    /// A metric that the comparison needs.
    enum Metric: String, CaseIterable {
        case statements = "duet_statements_total"
        case rows = "duet_rows_read_total"
        case processorTime = "process_cpu_seconds_total"
    }

    /// The values, keyed by the name of the metric with its labels.
    private var values: [String: Double] = [:]

    /// - Parameter text: Lines of `name{labels} value`. The text has hundreds of lines, and each task reads it several
    ///   times. Therefore the initializer compares bytes, and decodes only the lines of ``Metric``.
    init(_ text: String) {
        let names = Metric.allCases.map { Array($0.rawValue.utf8) }
        var text = text
        text.withUTF8 { text in
            let bytes = UnsafeRawBufferPointer(text)
            var start = 0
            while start < bytes.count {
                var end = start
                while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
                let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                start = end + 1
                guard names.contains(where: { line.starts(with: $0) }) else { continue }
                let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
                if parts.count == 2, let value = Double(parts[1]) { values[String(parts[0])] = value }
            }
        }
    }

    /// Returns the value of a metric without labels; nil if it does not exist.
    subscript(metric: Metric) -> Double? { values[metric.rawValue] }

    /// Returns the number of statements since an earlier snapshot, including those of no style, such as the statements
    /// with which the server finds commits; nil if the server does not report them.
    func statements(since start: MetricsSnapshot) -> Int? {
        guard let before = start.sumOfStyles(.statements), let after = sumOfStyles(.statements) else { return nil }
        let name = "\(Metric.statements.rawValue){style=\"other\"}"
        return Int(after - before + (values[name] ?? 0) - (start.values[name] ?? 0))
    }

    /// Returns the sum of a metric over both API styles (`rest` and `graphql`). The style must be the only label of the
    /// metric. The result is nil if the metric does not exist. Background work of the server, such as recording the use
    /// of persisted queries, has the style `other` and is excluded.
    func sumOfStyles(_ metric: Metric) -> Double? {
        let values = ["rest", "graphql"].compactMap { self.values["\(metric.rawValue){style=\"\($0)\"}"] }
        return values.isEmpty ? nil : values.reduce(0, +)
    }
}

/// The numbers of SQL statements that a server executed, and of rows that the statements read, between two snapshots.
struct ServerWork: Sendable {
    let statements: Int?
    let rows: Int?

    init(from start: MetricsSnapshot, to end: MetricsSnapshot) {
        func growth(_ metric: MetricsSnapshot.Metric) -> Int? {
            guard let before = start.sumOfStyles(metric), let after = end.sumOfStyles(metric) else { return nil }
            return Int(after - before)
        }
        statements = growth(.statements)
        rows = growth(.rows)
    }
}
