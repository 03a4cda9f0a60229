/// Metrics in the Prometheus text format, parsed line by line according to its specification. Any deviation is an
/// error.
package struct Exposition: Sendable {
    package struct Family: Sendable {
        package let name: String
        package let type: String
        package let help: String?
        package fileprivate(set) var samples: [Sample] = []
    }

    package struct Sample: Hashable, Sendable {
        package let name: String
        package let labels: [String: String]
        package let value: Double

        /// The labels without the bound of the bucket.
        fileprivate var series: [String: String] { labels.filter { $0.key != "le" } }
    }

    package struct Malformed: Error, CustomStringConvertible {
        package let description: String
        fileprivate init(_ reason: String, _ line: some StringProtocol) { description = "\(reason): \(line)" }
    }

    package private(set) var families: [Family] = []

    /// Returns the value of one sample, or 0 if the sample does not exist, because a metric without counts may be
    /// absent.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> Double {
        sample(name, labels)?.value ?? 0
    }

    /// Returns one sample.
    package func sample(_ name: String, _ labels: [String: String] = [:]) -> Sample? {
        families.lazy.flatMap(\.samples).first { $0.name == name && $0.labels == labels }
    }

    /// Returns the sum of all samples with the given name that have the given labels and any other labels.
    package func sum(_ name: String, _ labels: [String: String] = [:]) -> Double {
        families.lazy.flatMap(\.samples)
            .filter { sample in sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value } }
            .reduce(0) { $0 + $1.value }
    }

    /// - Throws: ``Malformed`` with the first invalid line.
    package init(_ text: String) throws {
        guard text.isEmpty || text.utf8.last == UInt8(ascii: "\n") else {
            throw Malformed("no line feed at the end", text.suffix(80))
        }
        var help: (name: Substring, text: String)?
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            guard let line = String(line) else { throw Malformed("not UTF-8", "") }
            if line.hasPrefix("# HELP ") {
                let rest = line.dropFirst(7)
                let name = rest.prefix { $0 != " " }
                guard help == nil else { throw Malformed("a help text without its type", line) }
                help = (name, try Self.unescaped(rest.dropFirst(name.count + 1), quotes: false, line))
            } else if line.hasPrefix("# TYPE ") {
                let parts = line.dropFirst(7).split(separator: " ")
                guard parts.count == 2, Self.isMetricName(parts[0]),
                    ["counter", "gauge", "histogram"].contains(parts[1])
                else { throw Malformed("no type", line) }
                guard help == nil || help?.name == parts[0] else { throw Malformed("another's help text", line) }
                guard !families.contains(where: { $0.name == parts[0] }) else { throw Malformed("a second type", line) }
                families.append(Family(name: String(parts[0]), type: String(parts[1]), help: help?.text))
                help = nil
            } else {
                let sample = try Self.sample(line)
                guard help == nil, let family = families.last, family.takes(sample.name) else {
                    throw Malformed("a sample that is not with its family", line)
                }
                guard !family.samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) else {
                    throw Malformed("a second sample of the same series", line)
                }
                families[families.count - 1].samples.append(sample)
            }
        }
        guard help == nil else { throw Malformed("a help text without its type", help?.text ?? "") }
        for family in families { try family.check() }
    }

    private static func sample(_ line: String) throws -> Sample {
        guard let match = line.wholeMatch(of: samplePattern) else {
            throw Malformed("no sample", line)
        }
        var labels: [String: String] = [:]
        var rest = match.2 ?? ""
        while !rest.isEmpty {
            guard let label = rest.prefixMatch(of: labelPattern),
                labels.updateValue(try unescaped(label.2, quotes: true, line), forKey: String(label.1)) == nil
            else { throw Malformed("no label", line) }
            rest = rest[label.range.upperBound...]
        }
        let value: Double?
        switch match.3 {
        case "+Inf": value = .infinity
        case "-Inf": value = -.infinity
        case "NaN": value = .nan
        default: value = match.3.first.map("-+0123456789".contains) == true ? Double(match.3) : nil
        }
        guard let value else { throw Malformed("no number", line) }
        return Sample(name: String(match.1), labels: labels, value: value)
    }

    private static func isMetricName(_ name: Substring) -> Bool { name.wholeMatch(of: namePattern) != nil }

    // A regex literal is parsed at each evaluation, which takes longer than to match a line. The patterns never change.
    nonisolated(unsafe) private static let namePattern = /[a-zA-Z_:][a-zA-Z0-9_:]*/
    nonisolated(unsafe) private static let samplePattern = /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?s:.*))\})? ([^ ]+)/
    nonisolated(unsafe) private static let labelPattern =
        /([a-zA-Z_][a-zA-Z0-9_]*)="((?s:[^"\\]|\\.)*)"(,(?=.)|$)/

    private static func unescaped(_ text: Substring, quotes: Bool, _ line: String) throws -> String {
        var result = ""
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            guard scalar == "\\" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            switch scalars.popFirst() {
            case "\\": result += "\\"
            case "n": result += "\n"
            case "\"" where quotes: result += "\""
            default: throw Malformed("no escape", line)
            }
        }
        return result
    }
}

extension Exposition.Family {
    fileprivate func takes(_ sample: String) -> Bool {
        type == "histogram" ? ["_bucket", "_sum", "_count"].contains { name + $0 == sample } : name == sample
    }

    fileprivate func check() throws {
        guard !samples.isEmpty else { throw Exposition.Malformed("a family without samples", name) }
        switch type {
        case "counter":
            guard name.hasSuffix("_total"), samples.allSatisfy({ $0.value >= 0 }) else {
                throw Exposition.Malformed("no counter", name)
            }
        case "histogram":
            for series in Set(samples.map(\.series)) { try check(series) }
        default: break
        }
    }

    /// Checks that the buckets are ordered and cumulative, and that the last bucket has no bound and equals the count.
    private func check(_ series: [String: String]) throws {
        let own = samples.filter { $0.series == series }
        let buckets = own.filter { $0.name == name + "_bucket" }
        let bounds = buckets.compactMap { $0.labels["le"] }.compactMap { $0 == "+Inf" ? .infinity : Double($0) }
        guard bounds.count == buckets.count, bounds.last == .infinity,
            zip(bounds, bounds.dropFirst()).allSatisfy(<),
            zip(buckets, buckets.dropFirst()).allSatisfy({ $0.value <= $1.value }),
            own.first(where: { $0.name == name + "_count" })?.value == buckets.last?.value,
            own.contains(where: { $0.name == name + "_sum" }), own.count == buckets.count + 2
        else { throw Exposition.Malformed("no histogram", "\(name) \(series)") }
    }
}
