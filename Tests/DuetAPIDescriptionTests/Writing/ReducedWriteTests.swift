import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOHTTP1
import ProcessTesting
import SeededTesting
import ServerTestSupport
import TestSupport
import Testing

/// Random changes by the callers of random roles. The tables in memory have all rows, and the evaluation applies the
/// rights of the role: the answers are those of a database that has only the visible rows and fields, and no change
/// extends to a row that the caller must not change.
@Suite("Random writes of random roles") struct ReducedWriteTests {
    @Test(
        "The callers of a random role make only the changes that the rules permit, and see nothing else",
        arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        for seed in TestScale.seeds(2) {
            var random = SplitMix64(seed: seed &+ 4_000)
            var schema = RandomSchema(ignoresCase: !seed.isMultiple(of: 2), &random)
            schema.addConstraints(&random)
            let described = try await Self.description(schema, backend)
            let rights = try RandomRights(schema, described.api.catalogue, .any, &random)
            let description = "\(described.yaml)\nroles: \(rights.roles.compactText)\n"
            try await RandomWriteCopy.with(schema, backend, description) { [schema, random] rest async throws in
                try await RandomWriteCopy.with(schema, backend, description) { graphQL async throws in
                    let name = "seed \(seed), \(backend)"
                    await #expect(throws: Never.self, "\(name): \(rights.roles.compactText), \(rights.claims)") {
                        let model = RandomWriteModel(
                            schema: schema, catalogue: try rest.catalogue.restricted(to: rights.role.role),
                            backend: backend, rights: rights)
                        var test = RandomWriteTest(
                            model: model, rest: rest, graphQL: graphQL, fields: rights.fields, name: name,
                            random: random)
                        try await test.run(steps: 40)
                    }
                }
            }
        }
    }

    /// Returns the description of the tables, which permits all writes.
    static func description(
        _ schema: RandomSchema, _ backend: TestBackend
    ) async throws -> IntrospectedDescription {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { [script = schema.script(backend)] in try $0.executeScript(script) }
            return try IntrospectedDescription(
                of: try await database.read { try DatabaseSchema.read($0) }, writes: true)
        }
    }
}

extension RandomRights {
    /// The header fields of a caller.
    var fields: [String: String] {
        TestToken(JSONObject(claims.sorted { $0.key < $1.key }.map { ($0, $1) } + [("role", "random")])).field
    }
}
