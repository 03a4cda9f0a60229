import Foundation
package import JSON

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
        func text(_ number: Double) -> String { number.formatted(.number.precision(.fractionLength(0...1))) }
        let growth =
            before == 0
            ? ""
            : " (\((now / before - 1).formatted(.percent.precision(.fractionLength(0)).sign(strategy: .always()))))"
        return "\(scenario), \(style): \(measure) \(text(before)) → \(text(now))\(growth)"
    }
}

extension ComparisonReport {
    /// What is different since a report in JSON. What is counted is the same each time, so any difference is told; of what is timed
    /// those whose intervals do not touch.
    ///
    /// Scenarios and styles that one of the two has not are passed over.
    /// - Throws: ``BaselineError`` if it is no report.
    package func changes(since baseline: JSONValue) throws -> [ReportChange] {
        let before = try Self.measures(of: baseline)
        let now = try Self.measures(of: jsonValue)
        return now.compactMap { key, value in
            guard let old = before.first(where: { $0.key == key })?.value, old.high < value.low || value.high < old.low
            else {
                return nil
            }
            return ReportChange(
                scenario: key.scenario, style: key.style, measure: key.measure, before: old.median, now: value.median)
        }
    }

    private struct Key: Hashable {
        let scenario: String
        let style: String
        let measure: String
    }

    private struct Value {
        let median: Double
        let low: Double
        let high: Double

        init?(_ value: JSONValue) {
            switch value {
            case .integer(let count): (median, low, high) = (Double(count), Double(count), Double(count))
            case .object:
                guard let median = value["median"]?.number, let low = value["low"]?.number,
                    let high = value["high"]?.number
                else { return nil }
                (self.median, self.low, self.high) = (median, low, high)
            // Measured, but nobody knows how sure it is.
            default: return nil
            }
        }
    }

    private static func measures(of report: JSONValue) throws -> [(key: Key, value: Value)] {
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
        _ measures: JSONValue, scenario: String, style: String
    ) throws -> [(key: Key, value: Value)] {
        guard case .object(let object) = measures else { throw UnexpectedAnswer("measures are no object") }
        return try object.members.flatMap { member -> [(key: Key, value: Value)] in
            if let mode = Timing.Mode(rawValue: member.key) {
                return try Self.measures(member.value, scenario: scenario, style: "\(style), \(mode.rawValue)")
            }
            return Value(member.value).map { [(Key(scenario: scenario, style: style, measure: member.key), $0)] } ?? []
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
