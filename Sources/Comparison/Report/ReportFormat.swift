import Foundation
import JSON

/// The forms in which a report can be printed.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// For a terminal.
    case table
    case markdown
    case json
    case csv
    /// One file with charts, to be handed on.
    case html

    /// The report in this form, with a line's end at its end.
    package func text(_ report: ComparisonReport) -> String {
        switch self {
        case .table: report.tables { $0.aligned }
        case .markdown: report.tables { $0.markdown }
        case .json: report.json
        case .csv: report.csv
        case .html: HTMLReport(report: report).text
        }
    }
}

extension ComparisonReport {
    /// A heading, the task and tables for each scenario.
    fileprivate func tables(_ form: (TextTable) -> String) -> String {
        var text = ""
        for (name, value) in machine + database { text += "- \(name): \(value)\n" }
        for scenario in scenarios {
            text += "\n## \(scenario.name)\n\n\(scenario.task)"
            text += scenario.isEqual ? "\n\n" : " **The styles do not agree.**\n\n"
            text += form(scenario.costTable)
            if let timings = scenario.timingTable { text += "\n" + form(timings) }
        }
        if let changes {
            text += "\n## Changes\n\n"
            text += changes.isEmpty ? "None.\n" : changes.map { "- \($0.description)\n" }.joined()
        }
        return text
    }

    /// A line for each style and mode; what the mode does not change stands in each.
    fileprivate var csv: String {
        let columns = ReportColumn<Timing>.timings(distances: distances)
        let isTimed = scenarios.contains { $0.styles.contains { !$0.timings.isEmpty } }
        var lines = [["scenario", "style"] + ReportColumn.costs.map(\.name)]
        if isTimed { lines[0] += ["mode"] + columns.map(\.name) }
        for scenario in scenarios {
            for style in scenario.styles {
                let line =
                    [scenario.name, style.style.rawValue] + ReportColumn.costs.map { $0.value(style.cost)?.plain ?? "" }
                guard isTimed else {
                    lines.append(line)
                    continue
                }
                for timing in style.timings {
                    lines.append(line + [timing.mode.rawValue] + columns.map { $0.value(timing)?.plain ?? "" })
                }
            }
        }
        return lines.map { $0.joined(separator: ",") + "\n" }.joined()
    }

    fileprivate var json: String { jsonValue.compact + "\n" }

    /// As `--format json` has it.
    var jsonValue: JSONValue {
        func object(_ pairs: [(String, String)]) -> JSONValue {
            var object = JSONObject()
            for (name, value) in pairs { object[name] = .string(value) }
            return .object(object)
        }
        let scenarios: [JSONValue] = scenarios.map { scenario in
            [
                "name": .string(scenario.name), "task": .string(scenario.task),
                "styles": .array(scenario.styles.map(\.json)), "equal": .bool(scenario.isEqual),
            ]
        }
        var report: JSONValue = [
            "machine": object(machine), "database": object(database), "scenarios": .array(scenarios),
        ]
        if let changes, case .object(var object) = report {
            object["changes"] = .array(changes.map(\.json))
            report = .object(object)
        }
        return report
    }

    /// All round-trip times that were put in between.
    fileprivate var distances: [Duration] {
        scenarios.flatMap(\.distances).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension ComparisonReport.ScenarioReport {
    var distances: [Duration] { styles.first?.timings.first?.distances.map(\.roundTrip) ?? [] }

    var costTable: TextTable {
        var table = TextTable(["style"] + ReportColumn.costs.map(\.title))
        for style in styles {
            table.rows.append([style.style.title] + ReportColumn.costs.map { $0.value(style.cost)?.readable ?? "–" })
        }
        return table
    }

    /// `nil` if nothing was timed.
    var timingTable: TextTable? {
        guard styles.contains(where: { !$0.timings.isEmpty }) else { return nil }
        let columns = ReportColumn<Timing>.timings(distances: distances)
        var table = TextTable(["style"] + columns.map(\.title))
        for style in styles {
            for timing in style.timings {
                let mode = style.timings.count > 1 ? ", \(timing.mode.rawValue)" : ""
                table.rows.append([style.style.title + mode] + columns.map { $0.value(timing)?.readable ?? "–" })
            }
        }
        return table
    }
}

extension ComparisonReport.StyleReport {
    fileprivate var json: JSONValue {
        var measures = JSONObject()
        for column in ReportColumn.costs { measures[column.name] = column.value(cost)?.json ?? .null }
        for timing in timings {
            var timed = JSONObject()
            for column in ReportColumn<Timing>.timings(distances: timing.distances.map(\.roundTrip)) {
                timed[column.name] = column.value(timing)?.json ?? .null
            }
            measures[timing.mode.rawValue] = .object(timed)
        }
        return ["name": .string(style.rawValue), "measures": .object(measures)]
    }
}

extension ReportChange {
    fileprivate var json: JSONValue {
        [
            "scenario": .string(scenario), "style": .string(style), "measure": .string(measure),
            "before": .double(before), "now": .double(now),
        ]
    }
}

extension Measure {
    /// For people: with an interval, and as many digits as are of use.
    var readable: String {
        func digits(_ number: Double) -> String {
            number.formatted(.number.precision(.fractionLength(abs(number) < 100 ? 1 : 0)))
        }
        switch self {
        case .count(let count): return count.formatted()
        case .number(let number, let low?, let high?): return "\(digits(number)) (\(digits(low))–\(digits(high)))"
        case .number(let number, _, _): return digits(number)
        }
    }

    /// For programs: the number alone.
    fileprivate var plain: String {
        switch self {
        case .count(let count): String(count)
        case .number(let number, _, _): String((number * 10).rounded() / 10)
        }
    }

    fileprivate var json: JSONValue {
        func rounded(_ number: Double) -> JSONValue { .double((number * 10).rounded() / 10) }
        switch self {
        case .count(let count): return .integer(Int64(count))
        case .number(let number, let low?, let high?):
            return ["median": rounded(number), "low": rounded(low), "high": rounded(high)]
        case .number(let number, _, _): return rounded(number)
        }
    }
}
