package import DuetJSON
import Foundation

/// A difference between the value of a measure and its value in an earlier report.
package struct ReportChange: Sendable, Hashable {
    /// The name of the scenario.
    package let scenario: String
    /// The name of the style. For a measured value, the mode follows: `rest, parallel`.
    package let style: String
    /// The name of the measure in the JSON format: `statements`, `latencyP50`.
    package let measure: String
    package let before: Double
    package let now: Double

    /// The change on one line: `list, graphql: statements 1 → 2 (+100 %)`.
    package var description: String {
        func text(_ number: Double) -> String { number.formatted(.english.precision(.fractionLength(0...1))) }
        let growth =
            before == 0
            ? ""
            : " (\((now / before - 1).formatted(.percent.precision(.fractionLength(0)).sign(strategy: .always()))))"
        return "\(scenario), \(style): \(measure) \(text(before)) → \(text(now))\(growth)"
    }

    var json: JSONValue {
        [
            "scenario": .string(scenario), "style": .string(style), "measure": .string(measure),
            "before": .double(before), "now": .double(now),
        ]
    }
}

/// The changes since an earlier report.
package struct ReportChanges: Sendable {
    /// The reasons why the two reports are not fully comparable. Each is a sentence.
    package var cautions: [String] = []
    package var all: [ReportChange] = []
}

extension ComparisonReport {
    /// Returns the changes since an earlier report, which is passed as JSON.
    ///
    /// Counted values do not vary between runs, so every difference is a change. Measured values are compared only if
    /// both reports are from the same machine. A difference is then a change if the intervals do not overlap and the
    /// medians differ by more than a fifth of the earlier median. This limit is necessary for two reasons: a report has
    /// hundreds of intervals, of which some are disjoint by chance, and the speed of a machine varies. Latencies at a
    /// constant rate are not compared, because each run determines its own rate.
    ///
    /// Scenarios and styles that exist in only one of the reports are ignored.
    /// - Throws: ``BaselineError`` if the JSON is not a report.
    package func changes(since baseline: JSONValue) throws -> ReportChanges {
        let before = Dictionary(try Self.measures(of: baseline)) { first, _ in first }
        var changes = ReportChanges()
        if let difference = Self.difference(in: ["database", "cache"], baseline["database"], database) {
            changes.cautions.append("The earlier report describes a different database or cache: \(difference).")
        }
        if let difference = Self.difference(in: ["caller"], baseline["database"], database) {
            changes.cautions.append("The earlier report is from a different caller: \(difference).")
        }
        let otherMachine = Self.difference(in: ["processor", "cores", "memory"], baseline["machine"], machine)
        if let otherMachine {
            changes.cautions.append(
                "The earlier report is from another machine (\(otherMachine)), so times are not compared.")
        }
        changes.all = try Self.measures(of: jsonValue).compactMap { key, value in
            guard let old = before[key], old.high < value.low || value.high < old.low else { return nil }
            if key.isTimed {
                guard otherMachine == nil, !key.measure.hasPrefix("loadedLatency"),
                    abs(value.median - old.median) > old.median / 5
                else { return nil }
            }
            return ReportChange(
                scenario: key.scenario, style: key.style, measure: key.measure, before: old.median, now: value.median)
        }
        return changes
    }

    /// Returns the differences between the named properties of two reports; nil if there are none.
    private static func difference(in names: [String], _ before: JSONValue?, _ now: [(String, String)]) -> String? {
        let differences = names.compactMap { name -> String? in
            guard case .string(let old)? = before?[name], let new = now.first(where: { $0.0 == name })?.1, old != new
            else { return nil }
            return "\(name) \(old), now \(new)"
        }
        return differences.isEmpty ? nil : differences.joined(separator: "; ")
    }

    private struct Key: Hashable {
        let scenario: String
        let style: String
        let measure: String
        let isTimed: Bool
    }

    private struct Value {
        let median: Double
        let low: Double
        let high: Double

        /// - Parameter isTimed: True for a measured value, false for a counted value. A measured value without an
        ///   interval results in nil.
        init?(_ value: JSONValue, isTimed: Bool) {
            switch value {
            case .integer(let count) where !isTimed:
                (median, low, high) = (Double(count), Double(count), Double(count))
            case .object where isTimed:
                guard let median = value["median"]?.number, let low = value["low"]?.number,
                    let high = value["high"]?.number
                else { return nil }
                (self.median, self.low, self.high) = (median, low, high)
            default: return nil
            }
        }
    }

    private static func measures(of report: JSONValue) throws -> [(Key, Value)] {
        do {
            return try report.member("scenarios").elements().flatMap { scenario in
                let name = try scenario.member("name").string()
                return try scenario.member("styles").elements().flatMap { style in
                    try measures(try style.member("measures"), scenario: name, style: try style.member("name").string())
                }
            }
        } catch let error as UnexpectedAnswer {
            throw BaselineError(description: "it is not a report of duet compare --format json: \(error)")
        }
    }

    private static func measures(
        _ measures: JSONValue, scenario: String, style: String, isTimed: Bool = false
    ) throws -> [(Key, Value)] {
        guard case .object(let object) = measures else { throw UnexpectedAnswer("measures are not an object") }
        return try object.members.flatMap { member -> [(Key, Value)] in
            if let mode = Timing.Mode(rawValue: member.key) {
                return try Self.measures(
                    member.value, scenario: scenario, style: "\(style), \(mode.rawValue)", isTimed: true)
            }
            return Value(member.value, isTimed: isTimed).map {
                [(Key(scenario: scenario, style: style, measure: member.key, isTimed: isTimed), $0)]
            } ?? []
        }
    }
}

/// The error for JSON that is not a report of a comparison.
package struct BaselineError: Error, CustomStringConvertible {
    /// The reason.
    package let description: String
}

extension JSONValue {
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}
