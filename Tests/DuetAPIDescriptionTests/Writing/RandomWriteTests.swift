import DuetAPIDescription
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOHTTP1
import ProcessTesting
import SeededTesting
import ServerTestSupport
import TestSupport
import Testing

@Suite("Random writes") struct RandomWriteTests {
    @Test(
        "After random writes, the tables of both styles equal those of an evaluation in memory",
        arguments: TestBackend.available)
    func writes(_ backend: TestBackend) async throws {
        for seed in TestScale.seeds(2) {
            var random = SplitMix64(seed: seed &+ 3_000)
            var schema = RandomSchema(ignoresCase: !seed.isMultiple(of: 2), &random)
            schema.addConstraints(&random)
            try await RandomWriteCopy.with(schema, backend) { [schema, random] rest async throws in
                try await RandomWriteCopy.with(schema, backend) { graphQL async throws in
                    let name = "seed \(seed), \(backend)"
                    await #expect(throws: Never.self, "\(name)") {
                        let model = RandomWriteModel(schema: schema, catalogue: rest.catalogue, backend: backend)
                        var test = RandomWriteTest(
                            model: model, rest: rest, graphQL: graphQL, name: name, random: random)
                        try await test.run(steps: 40)
                    }
                }
            }
        }
    }
}
