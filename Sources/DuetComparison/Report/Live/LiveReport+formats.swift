import DuetJSON

extension ReportColumn<LiveReport.Way> {
    /// The measures of a way. Delays are in milliseconds.
    static let live: [ReportColumn] = [
        ReportColumn(name: "requests", title: "requests") { .count($0.requests) },
        ReportColumn(name: "bytesUp", title: "bytes up") { .count($0.up) },
        ReportColumn(name: "bytesDown", title: "bytes down") { .count($0.down) },
        ReportColumn(name: "statements", title: "statements") { $0.statements.map(Measure.count) },
        ReportColumn(name: "delayP50", title: "median delay, ms") { $0.medianDelay.map { .number($0) } },
        ReportColumn(name: "delayMaximum", title: "maximum delay, ms") { $0.maximumDelay.map { .number($0) } },
    ]
}

extension LiveReport.Way {
    /// The median of the delays in milliseconds; nil if a change was not shown.
    var medianDelay: Double? { milliseconds.flatMap { Estimate($0)?.median } }
    /// The maximum of the delays in milliseconds; nil if a change was not shown.
    var maximumDelay: Double? { milliseconds?.max() }

    private var milliseconds: [Double]? {
        let known = shown.delays.compactMap(\.self)
        return known.count == shown.delays.count ? known.map { $0 / .milliseconds(1) } : nil
    }
}

extension LiveReport {
    /// The table with a row for each way.
    var table: TextTable {
        let columns = ReportColumn.live
        var table = TextTable(["way"] + columns.map(\.title) + ["changes not shown"])
        for way in ways {
            let missed = way.shown.missed.map(String.init).joined(separator: ", ")
            table.rows.append(
                [way.way.title] + columns.map { $0.value(way)?.readable ?? "–" } + [missed.isEmpty ? "–" : missed])
        }
        return table
    }

    /// The title of the table.
    var caption: String { "\(changes.of("change")) in \(Int(duration / .seconds(1)).of("second"))" }

    /// A sentence about the ways that do not end with the state of the database; nil if there are none.
    var difference: String? {
        let different = ways.filter { !$0.isEqual }.map(\.way.title)
        return different.isEmpty ? nil : "Some ways do not show the last state: \(different.joined(separator: "; "))."
    }

    /// The report in the format that `--format json` prints.
    var json: JSONValue {
        let ways = ways.map { way -> JSONValue in
            var measures = JSONObject()
            for column in ReportColumn.live { measures[column.name] = column.value(way)?.json ?? .null }
            return [
                "name": .string(way.way.rawValue), "measures": .object(measures), "equal": .bool(way.isEqual),
                "notShown": .array(way.shown.missed.map { .integer(Int64($0)) }),
            ]
        }
        return [
            "name": .string(Self.name), "task": .string(task), "seconds": .integer(Int64(duration / .seconds(1))),
            "changes": .integer(Int64(changes)), "conclusion": .string(conclusion), "equal": .bool(isEqual),
            "ways": .array(ways),
        ]
    }
}
