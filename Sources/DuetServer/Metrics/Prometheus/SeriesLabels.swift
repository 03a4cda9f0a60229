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
