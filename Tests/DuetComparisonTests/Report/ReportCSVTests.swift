import Foundation
import ProcessTesting
import Testing

@testable import DuetComparison

@Suite("A report as CSV") struct ReportCSVTests {
    @Test("Python's csv reads the names of tasks unchanged, and the same number of fields in each record")
    func names() async throws {
        let names = ["orders", "one, two", "the \"best\"", "two\nlines", "=1+2"]
        var report = ComparisonReport.constructed()
        report.scenarios = names.map { .constructed(named: $0, .constructed(.restSparse), .constructed(.graphQL)) }
        let script = """
            import csv, json
            print(json.dumps(list(csv.reader(open("report.csv", newline="", encoding="utf-8"), strict=True))))
            """
        try await TemporaryFolder.with { folder in
            try Data(ReportFormat.csv.text(report).utf8).write(to: folder.appending(path: "report.csv"))
            let python = try #require(Program.find("python3"))
            let result = try await Program.run(["-c", script], of: python, in: folder)
            #expect(result.status == 0, "\(result.errors)")
            let records = try JSONDecoder().decode([[String]].self, from: Data(result.output.utf8))
            #expect(records.dropFirst().map(\.first) == names.flatMap { [$0, $0] })
            #expect(Set(records.map(\.count)).count == 1)
        }
    }
}
