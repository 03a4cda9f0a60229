import Foundation
import ProcessTesting
import Testing

/// What `duet compare --format html` writes, opened as a file. The reports are made once for all tests.
@Suite("The report in a browser", .reports, .serialized, .timeLimit(.minutes(15)))
enum ReportTests {}

/// The reports that are looked at, as files that the real program has made.
enum ReportFile: String, Sendable, CaseIterable {
    /// All tasks, what is counted of them.
    case counted
    /// One task, timed for a moment.
    case timed

    var options: String {
        switch self {
        case .counted: "--no-timing"
        case .timed: "badge --turn 10"
        }
    }

    /// Ids of its sections.
    var sections: [String] {
        switch self {
        case .counted:
            [
                "names", "published-example", "badge", "list", "list-with-histories", "three-levels", "pages", "search",
                "report", "write", "journey", "unknown", "method",
            ]
        case .timed: ["badge", "method"]
        }
    }

    /// How many tables a task has: two of what is counted, one of its requests, and four of what is timed, for its
    /// answers are too short for gzip.
    var tables: Int { self == .timed ? 7 : 3 }

    /// The measures of the picture that it opens with.
    var measures: [String] {
        ["Requests", "Bytes"] + (self == .timed ? ["Time at 50 ms RTT", "Server's processor time"] : [])
    }

    var path: String { "/\(rawValue).html" }
}

/// The reports, and one browser for all tests of a suite; each test has a page of its own.
struct ReportTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "duet-reports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for report in ReportFile.allCases {
            let text = try output(
                of: "'\(Products.duet)' compare \(report.options) --employees 1000 --format html")
            try Data(text.utf8).write(to: folder.appending(path: report.path))
        }
        try await DevTools.withBrowser { devTools in
            let running = BrowserTrait.Running(devTools: devTools, origin: "file://\(folder.path)")
            try await BrowserTrait.$running.withValue(running) { try await function() }
        }
    }
}

extension Trait where Self == ReportTrait {
    static var reports: ReportTrait { ReportTrait() }
}

/// Opens a report as a file in a new page, and checks afterwards that nothing was wrong with it and nothing else was loaded.
/// - Parameter phoneWidth: on a phone of that width.
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
    /// Opens what is folded up.
    func unfoldAll() async throws {
        try await evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    }
}
