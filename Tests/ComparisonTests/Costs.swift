import Comparison
import Foundation
import Testing

/// What some styles of each scenario cost, without what differs from one machine to the next.
struct Costs {
    private let lines: [[Substring]]

    /// - Parameter isWanted: which styles.
    init(_ report: ComparisonReport, _ isWanted: (Style) -> Bool) {
        lines = Self.lines(ReportFormat.csv.text(report)).enumerated().filter { index, line in
            index == 0 || Style(rawValue: String(line[1])).map(isWanted) ?? false
        }.map(\.element)
    }

    private static func lines(_ csv: String) -> [[Substring]] {
        let lines = csv.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let titles = lines.first ?? []
        // The version of zlib decides on the bytes of gzip.
        let stable = titles.indices.filter { titles[$0] != "gzippedBodyBytesDown" }
        return lines.map { line in
            stable.map { column in
                // An export is in chunks, and a cache makes others of them, as large as what it has just read.
                let isFramedAnew = line[0] == "report" && ["rest-fields-cold", "rest-fields-warm"].contains(line[1])
                return isFramedAnew && titles[column] == "bodyBytesDown" ? "" : line[column]
            }
        }
    }

    /// Expects what a file of `Expectations` says, or writes it.
    func compare(with name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Expectations/\(name).csv")
        guard ProcessInfo.processInfo.environment["DUET_UPDATE_EXPECTATIONS"] == nil else {
            let text = lines.map { $0.joined(separator: ",") + "\n" }.joined()
            return try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let expected = Self.lines(try String(contentsOf: file, encoding: .utf8))
        #expect(lines.count == expected.count, sourceLocation: sourceLocation)
        for (line, expected) in zip(lines, expected) { #expect(line == expected, sourceLocation: sourceLocation) }
    }
}
