import DuetComparison
import Foundation
import ProcessTesting
import Testing

/// The costs of each scenario in the selected styles, without values that depend on the machine.
struct Costs {
    private let lines: [[Substring]]

    /// - Parameter isWanted: Returns true for the selected styles.
    init(_ report: ComparisonReport, _ isWanted: (Style) -> Bool) {
        lines = Self.lines(ReportFormat.csv.text(report)).enumerated().filter { index, line in
            index == 0 || Style(rawValue: String(line[1])).map(isWanted) ?? false
        }.map(\.element)
    }

    private static func lines(_ csv: String) -> [[Substring]] {
        let lines = csv.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let titles = lines.first ?? []
        // The number of bytes in gzip depends on the version of zlib.
        let stable = titles.indices.filter { titles[$0] != "gzippedBodyBytesDown" }
        return lines.map { line in stable.map { line[$0] } }
    }

    /// Compares the costs with a file in `Expectations`. If the environment contains `DUET_UPDATE_EXPECTATIONS`, writes
    /// the file instead.
    func compare(with name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = Checkout.folder.appending(path: "Tests/DuetComparisonTests/Expectations/\(name).csv")
        guard ProcessInfo.processInfo.environment["DUET_UPDATE_EXPECTATIONS"] == nil else {
            let text = lines.map { $0.joined(separator: ",") + "\n" }.joined()
            return try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let expected = Self.lines(try String(contentsOf: file, encoding: .utf8))
        #expect(lines.count == expected.count, sourceLocation: sourceLocation)
        for (line, expected) in zip(lines, expected) { #expect(line == expected, sourceLocation: sourceLocation) }
    }
}
