import Foundation
import ProcessTesting
import Testing

/// Tests of the output of `duet compare --format html`, which the browser opens as a file. The reports are created once
/// for all tests.
@Suite("Report in a browser", .reports, .serialized, .timeLimit(.minutes(15)))
enum ReportTests {}

/// The reports under test, as files that `duet` writes.
enum ReportFile: String, Sendable, CaseIterable {
    /// Tasks of all kinds, with counts only.
    case counted
    /// One task, timed briefly.
    case timed

    var options: [String] {
        switch self {
        case .counted: ["names", "badge", "report", "write", "journey", "--no-timing"]
        case .timed: ["badge", "--turn", "10"]
        }
    }

    /// The ids of the sections.
    var sections: [String] {
        switch self {
        case .counted: ["names", "badge", "report", "write", "journey", "method"]
        case .timed: ["badge", "method"]
        }
    }

    /// The number of tables of a task: two with counts, one with requests and, in a timed report, four with times.
    /// There is no table of times with gzip, because the responses of the timed task are too short for compression.
    var tables: Int { self == .timed ? 7 : 3 }

    /// The measures in the overview at the beginning of the report.
    var measures: [String] {
        ["Requests", "Bytes"] + (self == .timed ? ["Time at 50 ms RTT", "Server's processor time"] : [])
    }

    var path: String { "/\(rawValue).html" }
}

/// Provides the reports and one browser for all tests of a suite. Each test has its own page.
struct ReportTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await TestSlots.without {
                try await TemporaryFolder.with { folder in
                    for report in ReportFile.allCases {
                        let arguments = ["compare"] + report.options + ["--employees", "1000", "--format", "html"]
                        let result = try await Program.run(arguments, in: folder)
                        try #require(result.status == 0, "\(result.errors)")
                        try Data(result.output.utf8).write(to: folder.appending(path: report.path))
                    }
                    try await DevTools.withBrowser { devTools in
                        let running = BrowserTrait.Running(devTools: devTools, origin: "file://\(folder.path)")
                        try await BrowserTrait.$running.withValue(running) { try await function() }
                    }
                }
            }
        }
    }
}

extension Trait where Self == ReportTrait {
    static var reports: ReportTrait { ReportTrait() }
}

/// Opens a report as a file in a new page. Checks afterwards that the page has no errors and has loaded no other
/// resource.
/// - Parameter phoneWidth: The width of the phone to emulate, if any.
func withReport(
    _ report: ReportFile, phoneWidth: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (BrowserPage) async throws -> Void
) async throws {
    try await withBrowserPage(phoneWidth: phoneWidth, sourceLocation: sourceLocation) { page in
        try await page.open(report.path)
        try await page.requireHTML()
        try await body(page)
        #expect(page.requests == [page.origin + report.path], sourceLocation: sourceLocation)
    }
}

extension BrowserPage {
    /// Expands all collapsed parts.
    func unfoldAll() async throws {
        try await evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    }
}
