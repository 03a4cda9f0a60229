/// The metrics of a server at one moment, from the text format of Prometheus.
struct MetricsSnapshot: Sendable {
    /// A line, without its value: a name with the labels behind it.
    private var values: [Substring: Double] = [:]

    /// - Parameter text: lines of `name{labels} value`; comments are passed over.
    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            values[line[..<space]] = value
        }
    }

    /// The value of a series without labels; `nil` if there is none.
    subscript(name: String) -> Double? { values[Substring(name)] }

    /// The sum over both API styles of a series with that label alone; `nil` if there is none. What a server does besides, such as
    /// writing down which persisted queries were used, is no part of it.
    func sumOfStyles(_ name: String) -> Double? {
        let values = ["rest", "graphql"].compactMap { self["\(name){style=\"\($0)\"}"] }
        return values.isEmpty ? nil : values.reduce(0, +)
    }
}

/// What the database has done for requests between two moments.
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
