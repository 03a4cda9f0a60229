import DuetComparison
import DuetServer
import Foundation
import ProcessTesting
import ServerTestSupport
import Synchronization
import TestSupport
import Testing
import duet

/// Runs each scenario in each of its styles with the same sample. Compares the results, and the costs except times.
@Suite("Scenarios") struct CostTests {
    @Test(
        "All styles have equal results and the expected costs (DUET_UPDATE_EXPECTATIONS=1 updates Expectations/*.csv)",
        arguments: TestBackend.available)
    func costs(backend: TestBackend) async throws {
        let report = try await Reports.shared.report(of: backend)
        #expect(try report.scenarios.map(\.name) == Scenario.all.map(\.name))
        for (scenario, declared) in zip(report.scenarios, try Scenario.all) {
            #expect(scenario.isEqual, "\(scenario.name): \(scenario.styles)")
            #expect(
                scenario.styles.map(\.style).filter { $0.cacheState == nil }
                    == Style.allCases.filter { $0.cacheState == nil && declared.has($0) })
            // In every task, `restSparse` and `graphQL` need the same number of requests, because both request as much
            // as possible at once.
            let (rest, graphQL) = (
                scenario.styles.first { $0.style == .restSparse }, scenario.styles.first { $0.style == .graphQL }
            )
            #expect(rest?.cost.requests == graphQL?.cost.requests, "\(scenario.name)")
        }
        try Costs(report) { $0.cacheState == nil }.compare(with: "\(backend)")
    }

    @Test(
        "With a cold and a warm cache, all styles have equal results and the expected costs",
        .enabled(if: EmbeddedCache.executable != nil, "needs nginx, of Debian's package nginx"),
        arguments: TestBackend.available)
    func cachedCosts(backend: TestBackend) async throws {
        let report = try await Reports.shared.report(of: backend)
        for (scenario, declared) in zip(report.scenarios, try Scenario.all) {
            #expect(scenario.isEqual, "\(scenario.name): \(scenario.styles)")
            // With a cache, the comparison omits the scenarios that write.
            #expect(
                scenario.styles.map(\.style)
                    == Style.allCases.filter { declared.has($0) && ($0.cacheState == nil || !declared.writes) })
            for style in scenario.styles where style.style.cacheState == .cold {
                #expect(style.cost.cacheHits == 0, "\(scenario.name) \(style.style)")
            }
        }
        try Costs(report) { $0.cacheState != nil }.compare(with: "\(backend)-cache")
    }
}

/// Creates one report for each backend. Both tests use this report.
private actor Reports {
    static let shared = Reports()

    private var reports: [TestBackend: Task<ComparisonReport, any Error>] = [:]

    /// Returns the report for a backend. If nginx is installed, the report contains the styles with a cache.
    func report(of backend: TestBackend) async throws -> ComparisonReport {
        let report = reports[backend] ?? Task { try await TestSlots.without { try await Self.make(backend) } }
        reports[backend] = report
        return try await report.value
    }

    private static func make(_ backend: TestBackend) async throws -> ComparisonReport {
        // `duet compare` starts its server with these settings.
        var settings = ServerSettings()
        settings.caching.namesEntities = false
        let made = Mutex<ComparisonReport?>(nil)
        try await SampleServer.with(backend, settings: settings) { origin in
            guard EmbeddedCache.executable != nil else {
                let report = try await ComparisonRunner(server: origin, scenarios: Scenario.all).run()
                return made.withLock { $0 = report }
            }
            try await EmbeddedCache.with(before: origin) { cache in
                let report = try await ComparisonRunner(
                    server: origin, cache: cache, scenarios: Scenario.all
                ).run()
                made.withLock { $0 = report }
            }
        }
        let report = made.withLock { $0 }
        return try #require(report)
    }
}
