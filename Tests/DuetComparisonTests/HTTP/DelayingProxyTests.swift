import DuetComparison
import Foundation
import ServerTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Delaying proxy") struct DelayingProxyTests {
    @Test("The proxy delays a request and its response by the round-trip time in total, and does not change them")
    func delay() async throws {
        try await SampleServer.with { origin in
            let port = try #require(URL(string: origin)?.port)
            let direct = try await URLSession.shared.data(from: #require(URL(string: origin + "/employees?first=500")))
                .0
            try await DelayingProxy.with(roundTrip: .milliseconds(80), to: "127.0.0.1", port: port) { base in
                let url = try #require(URL(string: base + "/employees?first=500"))
                for _ in 0..<2 {
                    let start = ContinuousClock.now
                    let (body, _) = try await URLSession.shared.data(from: url)
                    #expect(ContinuousClock.now - start >= .milliseconds(80))
                    #expect(body == direct)
                }
            }
        }
    }

    @Test("The proxy closes a connection if the server is unreachable")
    func refused() async throws {
        try await DelayingProxy.with(roundTrip: .milliseconds(10), to: "127.0.0.1", port: 1) { base in
            let url = try #require(URL(string: base + "/"))
            await #expect(throws: URLError.self) { _ = try await URLSession.shared.data(from: url) }
        }
    }
}
