/// Writes the text format, a line for each sample
/// (https://prometheus.io/docs/instrumenting/exposition_formats#text-based-format).
struct ExpositionText {
    private(set) var text = ""

    /// A family with its samples, ordered by their labels; nothing if there are none.
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

    /// One sample.
    /// - Parameter bound: Of a bucket.
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

    /// A number as Go reads it; whole ones without a fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    /// - Parameter quotes: Whether a quotation mark would end the text.
    static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        // Scalars rather than characters: a line feed may be half of one.
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
