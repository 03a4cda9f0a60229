/// The labels of a series, as the text format writes them between the braces. They are sorted by name, so that labels
/// in a different order identify the same series.
struct SeriesLabels: Hashable {
    private let pairs: [Pair]
    let text: String

    private struct Pair: Hashable {
        let name: String
        let value: String
    }

    init(_ labels: [(String, String)]) {
        // The label `le` is reserved for histograms.
        var names: Set = ["le"]
        let pairs = labels.map { name, value in
            var name = MetricName.label(name)
            while !names.insert(name).inserted { name += "_" }
            return Pair(name: name, value: value)
        }
        self.init(pairs)
    }

    private init(_ pairs: [Pair]) {
        self.pairs = pairs.sorted { $0.name < $1.name }
        text = self.pairs.map { "\($0.name)=\"\(ExpositionText.escaped($0.value, quotes: true))\"" }
            .joined(separator: ",")
    }

    /// The labels of the series that replaces all series beyond the maximum number.
    var withoutValues: SeriesLabels {
        SeriesLabels(pairs.map { Pair(name: $0.name, value: "other") })
    }
}

/// The names that are valid in the text format.
enum MetricName {
    /// Returns a metric name, `[a-zA-Z_:][a-zA-Z0-9_:]*`. Other characters become `_`.
    static func metric(_ name: String) -> String {
        sanitized(name) { $0 == UInt8(ascii: ":") }
    }

    /// Returns a label name, `[a-zA-Z_][a-zA-Z0-9_]*`. Names with the prefix `__` are reserved for Prometheus, so all
    /// underscores at the beginning of such a name are replaced by a single `_`.
    static func label(_ name: String) -> String {
        let name = sanitized(name) { _ in false }
        return name.hasPrefix("__") ? "_" + name.drop { $0 == "_" } : name
    }

    private static func sanitized(_ name: String, _ isAllowed: (UInt8) -> Bool) -> String {
        var result = String(
            name.unicodeScalars.map { scalar -> Character in
                guard let byte = UInt8(exactly: scalar.value) else { return "_" }
                return isLetter(byte) || isDigit(byte) || isAllowed(byte) ? Character(scalar) : "_"
            })
        if result.utf8.first.map(isDigit) ?? true { result = "_" + result }
        return result
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
