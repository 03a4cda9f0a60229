package import DuetJSON
import Foundation

/// A measure that is another one than in an earlier report.
package struct ReportChange: Sendable, Hashable {
    /// The scenario's name.
    package let scenario: String
    /// The style's, and where there are several the mode's: `rest, parallel`.
    package let style: String
    /// As in the JSON form: `statements`, `latencyP50`.
    package let measure: String
    package let before: Double
    package let now: Double

    /// One line: `list, graphql: statements 1 → 2 (+100 %)`.
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

/// What has changed since an earlier report.
package struct ReportChanges: Sendable {
    /// What keeps the two from being compared as a whole, in sentences.
    package var cautions: [String] = []
    package var all: [ReportChange] = []
}

extension ComparisonReport {
    /// What is different since a report in JSON. What is counted is the same each time, so any difference is told; of what is timed
    /// those whose intervals do not touch and whose medians are a fifth apart, if both are of one machine: of hundreds of pairs some do not
    /// touch by chance, and a machine is not as fast each time. Latencies at a rate that another run has found are of another load.
    ///
    /// Scenarios and styles that one of the two has not are passed over.
    /// - Throws: ``BaselineError`` if it is no report.
    package func changes(since baseline: JSONValue) throws -> ReportChanges {
        let before = Dictionary(try Self.measures(of: baseline)) { first, _ in first }
        var changes = ReportChanges()
        if let difference = Self.difference(in: ["database", "cache"], baseline["database"], database) {
            changes.cautions.append("The earlier report is about something else: \(difference).")
        }
        let otherMachine = Self.difference(in: ["processor", "cores", "memory"], baseline["machine"], machine)
        if let otherMachine {
            changes.cautions.append(
                "The earlier report is of another machine, so nothing that was timed is compared: \(otherMachine).")
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

    /// What two reports say otherwise of themselves; `nil` if they say the same.
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

        /// - Parameter isTimed: whether it was measured; then it counts only if it is known how sure it is.
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
            throw BaselineError(description: "it is no report of duet compare --format json: \(error)")
        }
    }

    private static func measures(
        _ measures: JSONValue, scenario: String, style: String, isTimed: Bool = false
    ) throws -> [(Key, Value)] {
        guard case .object(let object) = measures else { throw UnexpectedAnswer("measures are no object") }
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

/// Why a report cannot be compared with.
package struct BaselineError: Error, CustomStringConvertible {
    /// What is wrong with it.
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
