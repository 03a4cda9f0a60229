/// All series with one name. They have the same type and different labels.
struct MetricFamily {
    /// The supported types of the text format.
    enum Kind: String {
        case counter, gauge, histogram

        /// The suffix of the names of this type.
        var suffix: String { self == .counter ? "_total" : "" }
    }

    let name: String
    let kind: Kind
    var help: String?
    var series: [SeriesLabels: any Series] = [:]

    /// The names of the family's samples.
    var sampleNames: [String] { Self.sampleNames(name, kind) }

    static func sampleNames(_ name: String, _ kind: Kind) -> [String] {
        kind == .histogram ? [name, name + "_bucket", name + "_sum", name + "_count"] : [name]
    }
}

/// Finds or creates the series of a name and labels. The owner protects this value with a lock.
struct SeriesRegistry {
    private(set) var families: [String: MetricFamily] = [:]
    /// The name of the family for each name of a sample.
    private var owners: [String: String] = [:]
    private let maximumSeries: Int

    init(maximumSeries: Int) {
        self.maximumSeries = max(1, maximumSeries)
    }

    mutating func series<S: Series>(
        _ name: String, _ kind: MetricFamily.Kind, unit: String, _ labels: SeriesLabels, help: String?,
        make: () -> S
    ) -> S {
        let family = family(name, kind, unit: unit, help: help) { family in
            // A series with a callback cannot be incremented.
            family.series[labels] == nil || family.series[labels] is S
        }
        let labels = bounded(labels, in: family)
        if let known = families[family]?.series[labels] as? S { return known }
        let made = make()
        families[family]?.series[labels] = made
        return made
    }

    mutating func set(
        _ callback: CallbackSeries, _ name: String, _ kind: MetricFamily.Kind, _ labels: SeriesLabels, help: String
    ) {
        let family = family(name, kind, unit: "", help: help) { family in
            family.series[labels] == nil || family.series[labels] is CallbackSeries
        }
        let labels = bounded(labels, in: family)
        families[family]?.series[labels] = callback
    }

    mutating func remove(_ series: AnyObject) {
        for (name, family) in families {
            guard let labels = family.series.first(where: { $0.value === series })?.key else { continue }
            families[name]?.series[labels] = nil
        }
    }

    /// Returns the name of the family, and creates the family if it does not exist. If another family already has this
    /// name or a sample with this name, the type is appended to the name. Thus no value is lost, and the conflict is
    /// visible in the output.
    private mutating func family(
        _ given: String, _ kind: MetricFamily.Kind, unit: String, help: String?, fits: (MetricFamily) -> Bool
    ) -> String {
        var base = MetricName.metric(given)
        for suffix in [kind.suffix, unit] where !suffix.isEmpty && base.hasSuffix(suffix) {
            base.removeLast(suffix.count)
        }
        while true {
            let name = MetricName.metric(base + unit + kind.suffix)
            if let known = families[name] {
                if known.kind == kind, fits(known) {
                    if known.help == nil { families[name]?.help = help }
                    return name
                }
            } else {
                let names = MetricFamily.sampleNames(name, kind)
                if names.allSatisfy({ owners[$0] == nil }) {
                    for sample in names { owners[sample] = name }
                    families[name] = MetricFamily(name: name, kind: kind, help: help)
                    return name
                }
            }
            base += "_" + kind.rawValue
        }
    }

    private func bounded(_ labels: SeriesLabels, in family: String) -> SeriesLabels {
        guard let series = families[family]?.series, series[labels] == nil, series.count >= maximumSeries else {
            return labels
        }
        return labels.withoutValues
    }
}
