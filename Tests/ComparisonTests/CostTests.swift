import Comparison
import Foundation
import ServerTestSupport
import TestSupport
import Testing

/// Every scenario in every style over the same sample: whether they agree, and what they cost, without timing anything.
@Suite("Scenarios") struct CostTests {
    /// The same on every machine, other than the bytes of gzip, which its version decides.
    private static let unstable = "gzippedBodyBytesDown"

    private static func expectations(_ backend: TestBackend) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Expectations/\(backend).csv")
    }

    /// The table without the columns that differ from one machine to the next.
    private static func stable(_ csv: String) -> [[Substring]] {
        let lines = csv.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let left = (lines.first ?? []).indices.filter { lines[0][$0] != unstable }
        return lines.map { line in left.map { line[$0] } }
    }

    @Test(
        "are answered alike by all styles, and cost what Expectations says (DUET_UPDATE_EXPECTATIONS=1 writes it anew)",
        arguments: TestBackend.available)
    func costs(backend: TestBackend) async throws {
        try await SampleServer.with(backend) { origin in
            let report = try await ComparisonRunner(server: origin).run()
            #expect(report.scenarios.map(\.name) == Scenario.all.map(\.name))
            for scenario in report.scenarios {
                #expect(scenario.isEqual, "\(scenario.name): \(scenario.styles)")
                #expect(scenario.styles.count == 6)
            }
            let costs = Self.stable(ReportFormat.csv.text(report))
            let file = Self.expectations(backend)
            guard ProcessInfo.processInfo.environment["DUET_UPDATE_EXPECTATIONS"] == nil else {
                let text = costs.map { $0.joined(separator: ",") + "\n" }.joined()
                return try text.write(to: file, atomically: true, encoding: .utf8)
            }
            let expected = Self.stable(try String(contentsOf: file, encoding: .utf8))
            #expect(costs.count == expected.count)
            for (cost, expected) in zip(costs, expected) { #expect(cost == expected) }
        }
    }
}
