import DuetJSON
import NIOCore
import ServerTestSupport
import Testing

@testable import DuetComparison

@Suite("Scenarios that write") struct WriteTests {
    @Test(
        "In every style, a writing scenario writes a new value each time, and the server stores the value",
        arguments: Style.direct)
    func values(style: Style) async throws {
        let write = try Scenario.named("write")
        try await SampleServer.with { origin in
            try await WireClient.with(base: origin, connections: 1) { client in
                let asker = Asker(client: client)
                try await asker.register(write)
                var names: Set<JSONValue> = []
                for _ in 0..<2 {
                    let recording = try await asker.ask(write, style)
                    // In the recorded result, the written value is replaced by the value that the scenario declares.
                    #expect(recording.result["lastName"] == "Marchetti")
                    try await asker.verify(write, recording)
                    let response = try await client.send(.get("/employees/10050"))
                    names.insert(try JSONValue(parsing: String(buffer: response.body).utf8).member("lastName"))
                }
                #expect(names.count == 2 && !names.contains("Marchetti"))
            }
        }
    }

    @Test("The verification fails if the value on the server differs from the written value")
    func overwritten() async throws {
        let write = try Scenario.named("write")
        try await SampleServer.with { origin in
            try await WireClient.with(base: origin, connections: 1) { client in
                let asker = Asker(client: client)
                let first = try await asker.ask(write, .restSparse)
                _ = try await asker.ask(write, .graphQL)
                await #expect(throws: UnexpectedAnswer.self) { try await asker.verify(write, first) }
            }
        }
    }

    @Test("Under load, each task writes a different value")
    func load() async throws {
        let write = try Scenario.named("write")
        try await SampleServer.with { origin in
            try await WireClient.with(base: origin, connections: 1) { client in
                let rounds = try await Asker(client: client).ask(write, .restSparse).rounds.map { $0.map(\.request) }
                let load = Load(client: client, rounds: rounds, written: write.written)
                var bodies: Set<String> = []
                for _ in 0..<3 {
                    try await load.once()
                    let response = try await client.send(.get("/employees/10050?fields=lastName"))
                    bodies.insert(String(buffer: response.body))
                }
                #expect(bodies.count == 3)
            }
        }
    }
}

extension Style {
    /// The styles without an export, aggregates and a cache.
    fileprivate static var direct: [Style] {
        allCases.filter { $0.cacheState == nil && $0 != .restExport && !$0.readsAggregates }
    }
}
