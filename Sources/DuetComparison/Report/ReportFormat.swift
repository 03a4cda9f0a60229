import DuetJSON
import Foundation

/// The output formats of a report.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// Aligned tables for a terminal.
    case table
    case markdown
    case json
    case csv
    /// A web page with charts in a single file.
    case html

    /// Returns the report in this format, with a trailing newline.
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
    /// Returns the conclusions, the skipped scenarios, and the properties of machine and database. For each scenario, a
    /// heading, the task and the tables follow.
    fileprivate func tables(_ form: (TextTable) -> String) -> String {
        var text = ""
        for part in conclusionParts {
            text += "## \(part.title)\n\n"
            text += part.conclusions.map { "- \($0.scenario.name): \($0.conclusion.text)\n" }.joined() + "\n"
        }
        if let live { text += "## \(LiveReport.conclusionTitle)\n\n- \(LiveReport.name): \(live.conclusion)\n\n" }
        for failure in failures { text += "Skipped: \(failure)\n\n" }
        for failure in leftOut { text += "Left out: \(failure)\n\n" }
        if !scenarios.isEmpty || live != nil { text += "## Machine and database\n\n" }
        for (name, value) in machine + database { text += "- \(name): \(value)\n" }
        for scenario in scenarios {
            text += "\n## \(scenario.name)\n\n\(scenario.task)"
            text += scenario.difference.map { " **\($0)**\n\n" } ?? "\n\n"
            text += scenario.tables.map { "\($0.title):\n\n\(form($0.table))" }.joined(separator: "\n")
        }
        if let live {
            text += "\n## \(LiveReport.name)\n\n\(live.task)"
            text += live.difference.map { " **\($0)**\n\n" } ?? "\n\n"
            text += "\(live.caption):\n\n\(form(live.table))"
        }
        if let changes {
            text += "\n## Changes\n\n"
            text += changes.cautions.map { $0 + "\n\n" }.joined()
            text += changes.all.isEmpty ? "None.\n" : changes.all.map { "- \($0.description)\n" }.joined()
        }
        return text
    }

    /// The report as CSV, with one line for each style and mode. Values that do not depend on the mode are repeated in
    /// each line. If the comparison skipped something, there is a line for it, with the reason in an additional column.
    fileprivate var csv: String {
        let costs = ReportSection.costs.flatMap(\.columns)
        let columns = ReportSection.timings(distances: timing?.distances ?? []).flatMap(\.columns)
        let isTimed = timing != nil
        var lines = [["scenario", "style", "equal"] + costs.map(\.name)]
        if isTimed { lines[0] += ["mode"] + columns.map(\.name) }
        // The lines of the live comparison have other measures, in columns of their own.
        let liveColumns = live == nil ? [] : ReportColumn.live
        lines[0] += liveColumns.map { "live.\($0.name)" }
        let reason = liveColumns.map { _ in "" } + (failures.isEmpty ? [] : [""])
        if !failures.isEmpty { lines[0].append("skipped") }
        for scenario in scenarios {
            for style in scenario.styles {
                let line =
                    [scenario.name, style.style.rawValue, String(scenario.isEqual)]
                    + costs.map { $0.value(style.cost)?.plain ?? "" }
                guard isTimed else {
                    lines.append(line + reason)
                    continue
                }
                for timing in style.timings {
                    lines.append(line + [timing.mode.rawValue] + columns.map { $0.value(timing)?.plain ?? "" } + reason)
                }
            }
        }
        if let live {
            let empty = lines[0].count - 3 - liveColumns.count - (failures.isEmpty ? 0 : 1)
            lines += live.ways.map { way in
                [LiveReport.name, way.way.rawValue, String(way.isEqual)] + Array(repeating: "", count: empty)
                    + liveColumns.map { $0.value(way)?.plain ?? "" } + (failures.isEmpty ? [] : [""])
            }
        }
        for failure in failures {
            let empty = Array(repeating: "", count: lines[0].count - 3)
            lines.append([failure.scenario, failure.style?.rawValue ?? ""] + empty + ["\(failure.underlying)"])
        }
        return lines.map { $0.map(Self.csvField).joined(separator: ",") + "\n" }.joined()
    }

    /// Returns a field of CSV (RFC 4180). The name of a task can contain any character.
    private static func csvField(_ text: String) -> String {
        guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
        let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(parts.map { String($0) }.joined(separator: "\"\""))\""
    }

    fileprivate var json: String { jsonValue.compactText + "\n" }

    /// The report in the format that `--format json` prints.
    var jsonValue: JSONValue {
        func object(_ pairs: [(String, String)]) -> JSONValue {
            var object = JSONObject()
            for (name, value) in pairs { object[name] = .string(value) }
            return .object(object)
        }
        let scenarios = conclusions.map { scenario, conclusion -> JSONValue in
            var object = JSONObject([
                "name": .string(scenario.name), "task": .string(scenario.task), "conclusion": conclusion.json,
                "styles": .array(scenario.styles.map(\.json)), "equal": .bool(scenario.isEqual),
            ])
            if scenario.isWrite { object["writes"] = true }
            if !scenario.differingTables.isEmpty {
                object["differingTables"] = .array(scenario.differingTables.map { .string($0) })
            }
            return .object(object)
        }
        var report = JSONObject()
        report["machine"] = object(machine)
        report["database"] = object(database)
        report["scenarios"] = .array(scenarios)
        if let live { report["live"] = live.json }
        if !failures.isEmpty {
            report["skipped"] = .array(
                failures.map { ["name": .string($0.scenario), "reason": .string($0.reason)] })
        }
        if !leftOut.isEmpty {
            report["leftOut"] = .array(leftOut.map { ["name": .string($0.scenario), "reason": .string($0.reason)] })
        }
        if let changes {
            report["changes"] = .array(changes.all.map(\.json))
            report["cautions"] = .array(changes.cautions.map { .string($0) })
        }
        return .object(report)
    }
}

extension ComparisonReport.ScenarioReport {
    /// A sentence about the difference of the styles; nil if there is none.
    var difference: String? {
        guard !isEqual else { return nil }
        guard !differingTables.isEmpty else { return "The styles return different results." }
        return "The styles leave different rows in \(differingTables.inWords)."
    }

    var distances: [Duration] { styles.first?.timings.first?.distances.map(\.roundTrip) ?? [] }

    /// The tables of the scenario: one for each section that has values.
    var tables: [(title: String, table: TextTable)] {
        let costs = styles.map { (label: $0.style.title, subject: $0.cost) }
        return ReportSection.costs.compactMap { Self.table($0, costs) }
            + ReportSection.timings(distances: distances).compactMap { Self.table($0, styles.flatMap(labelledTimings)) }
    }

    /// Returns the timings of a style with their labels. If there are several modes, the label contains the mode.
    func labelledTimings(of style: ComparisonReport.StyleReport) -> [(label: String, subject: Timing)] {
        style.timings.map { timing in
            (style.style.title + (style.timings.count > 1 ? ", \(timing.mode.rawValue)" : ""), timing)
        }
    }

    private static func table<Subject>(
        _ section: ReportSection<Subject>, _ subjects: [(label: String, subject: Subject)]
    ) -> (title: String, table: TextTable)? {
        var table = TextTable(["style"] + section.columns.map(\.title))
        var isEmpty = true
        for (label, subject) in subjects {
            let measures = section.columns.map { $0.value(subject) }
            isEmpty = isEmpty && measures.allSatisfy { $0 == nil }
            table.rows.append([label] + measures.map { $0?.readable ?? "–" })
        }
        return isEmpty ? nil : (section.title, table)
    }
}

extension ComparisonReport.StyleReport {
    fileprivate var json: JSONValue {
        var measures = JSONObject()
        func put<Subject>(_ sections: [ReportSection<Subject>], of subject: Subject, in object: inout JSONObject) {
            for column in sections.flatMap(\.columns) { object[column.name] = column.value(subject)?.json ?? .null }
        }
        put(ReportSection.costs, of: cost, in: &measures)
        for timing in timings {
            var timed = JSONObject()
            put(ReportSection.timings(distances: timing.distances.map(\.roundTrip)), of: timing, in: &timed)
            measures[timing.mode.rawValue] = .object(timed)
        }
        let requests = requests.map { request in
            var object = JSONObject()
            object["method"] = .string(request.method)
            object["target"] = .string(request.target)
            put([ReportSection.requests], of: request, in: &object)
            return JSONValue.object(object)
        }
        return ["name": .string(style.rawValue), "measures": .object(measures), "requests": .array(requests)]
    }
}
