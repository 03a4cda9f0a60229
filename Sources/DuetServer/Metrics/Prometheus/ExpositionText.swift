/// Writes metrics in the text format of Prometheus, with one line for each sample
/// (https://prometheus.io/docs/instrumenting/exposition_formats#text-based-format).
struct ExpositionText {
    private(set) var text = ""

    /// Writes a family with its samples in the order of their labels. It writes nothing for a family without samples.
    mutating func write(_ family: MetricFamily) {
        var samples = ExpositionText()
        for (labels, series) in family.series.sorted(by: { $0.key.text < $1.key.text }) {
            series.write(family.name, labels.text, to: &samples)
        }
        guard !samples.text.isEmpty else { return }
        if let help = family.help { text += "# HELP \(family.name) \(Self.escaped(help, quotes: false))\n" }
        text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
        text += samples.text
    }

    /// Writes one sample.
    /// - Parameter bound: The upper bound of a bucket; nil for other samples.
    mutating func write(_ name: String, _ labels: String, bound: String? = nil, _ value: String) {
        text += name
        if !labels.isEmpty || bound != nil {
            text += "{"
            text += labels
            if let bound {
                if !labels.isEmpty { text += "," }
                text += "le=\"\(bound)\""
            }
            text += "}"
        }
        text += " "
        text += value
        text += "\n"
    }

    /// Returns a number in a format that Go's `ParseFloat` accepts. Integers have no fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    /// - Parameter quotes: True if quotation marks must be escaped.
    static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        // The loop uses scalars, because CR LF is a single `Character`.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
