import Comparison
import DuetServer
import Foundation
import ServerTestSupport
import TestSupport
import Testing

/// Every scenario in every style over the same sample: whether they agree, and what they cost, without timing anything.
@Suite("Scenarios") struct CostTests {
    /// As `duet compare` starts its server.
    private var settings: ServerSettings {
        var settings = ServerSettings()
        settings.caching.namesEntities = false
        return settings
    }

    @Test(
        "are answered alike by all styles, and cost what Expectations says (DUET_UPDATE_EXPECTATIONS=1 writes it anew)",
        arguments: TestBackend.available)
    func costs(backend: TestBackend) async throws {
        try await SampleServer.with(backend, settings: settings) { origin in
            let report = try await ComparisonRunner(server: origin).run()
            #expect(report.scenarios.map(\.name) == Scenario.all.map(\.name))
            for scenario in report.scenarios {
                #expect(scenario.isEqual, "\(scenario.name): \(scenario.styles)")
                #expect(scenario.styles.map(\.style) == Style.allCases.filter { $0.cacheState == nil })
            }
            try Costs(report) { $0.cacheState == nil }.compare(with: "\(backend)")
        }
    }

    @Test(
        "are answered alike through a cache, cold and warm, and cost there what Expectations says",
        .enabled(if: EmbeddedCache.executable != nil, "needs nginx, of Debian's package nginx"),
        arguments: TestBackend.available)
    func cachedCosts(backend: TestBackend) async throws {
        try await SampleServer.with(backend, settings: settings) { origin in
            try await EmbeddedCache.with(before: origin) { cache in
                let report = try await ComparisonRunner(server: origin, cache: cache).run()
                for (scenario, declared) in zip(report.scenarios, Scenario.all) {
                    #expect(scenario.isEqual, "\(scenario.name): \(scenario.styles)")
                    // What has been written is kept by no cache.
                    #expect(
                        scenario.styles.map(\.style)
                            == Style.allCases.filter { $0.cacheState == nil || !declared.writes })
                    for style in scenario.styles where style.style.cacheState == .cold {
                        #expect(style.cost.cacheHits == 0, "\(scenario.name) \(style.style)")
                    }
                }
                try Costs(report) { $0.cacheState != nil }.compare(with: "\(backend)-cache")
            }
        }
    }
}
