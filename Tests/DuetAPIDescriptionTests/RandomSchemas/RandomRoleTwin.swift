import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import ProcessTesting
import SeededTesting
import ServerTestSupport
import TestSupport

/// A server with a random role, and its twin: a server without roles, whose database has only the rows and whose API
/// has only the fields that the role sees.
struct RandomRoleTwin: Sendable {
    /// The permissions of a role in a description, and the catalogue of this role.
    typealias Rights = (permissions: JSONObject, reduced: Catalogue)

    /// The model of the whole database.
    let whole: RandomModel
    let role: RandomRole
    /// The part of the catalogue that the role sees.
    let reduced: Catalogue
    let database: Database
    let twinDatabase: Database
    let server: ServiceServer
    let twin: ServiceServer
    /// The header fields of the caller, which only the server with the role receives.
    let token: [String: String]
    /// Identifies the test in messages.
    let name: String
    /// The generator after the creation of the schema and the role.
    let random: SplitMix64

    /// The model of what the role sees.
    var visible: RandomModel { RandomModel(schema: whole.schema, catalogue: reduced) }

    /// Compares the answers of both servers.
    var comparison: AnswerComparison { AnswerComparison(server: server, twin: twin, token: token, name: name) }

    /// Runs both servers for each of a few random schemas.
    /// - Parameters:
    ///   - offset: A number that distinguishes the seeds of a test from those of other tests.
    ///   - hidesKeys: True if the role can lack fields of keys.
    ///   - rights: Returns the rights of the role.
    static func forEach(
        _ backend: TestBackend, seedOffset offset: UInt64, hidesKeys: Bool = false,
        rights: (RandomRole, RandomModel, inout SplitMix64) throws -> Rights = { role, whole, _ in
            (role.permissions, try role.reduced(whole.catalogue))
        },
        _ body: @Sendable @escaping (RandomRoleTwin) async throws -> Void
    ) async throws {
        for seed in TestScale.seeds(2) {
            var random = SplitMix64(seed: seed &+ offset)
            let schema = RandomSchema(ignoresCase: !seed.isMultiple(of: 2), &random)
            try await TestDatabase.with(backend, schema: false) { database in
                try await database.write { [script = schema.script(backend)] in try $0.executeScript(script) }
                let described = try IntrospectedDescription(of: try await database.read { try DatabaseSchema.read($0) })
                let whole = RandomModel(schema: schema, catalogue: described.api.catalogue)
                let role = try RandomRole(whole, hidesKeys: hidesKeys, &random)
                let (permissions, reduced) = try rights(role, whole, &random)
                let roles: JSONValue = ["random": ["resources": .object(permissions)]]
                let description = "\(described.yaml)\nroles: \(roles.compactText)\n"
                let token = TestToken(JSONObject(role.claims.map { ($0, $1) } + [("role", "random")])).field
                let visible = schema.keeping { role.sees($0, of: $1, whole) }
                try await TestDatabase.with(backend, schema: false) { [random] twinDatabase in
                    // Rows can refer to rows that the role does not see.
                    try await twinDatabase.write { [script = visible.script(backend, enforcesReferences: false)] in
                        try $0.executeScript(script)
                    }
                    try await DescribedServer.with(APIDescription(reduced), twinDatabase) { twin in
                        try await DescribedServer.with(description, database) { server async throws in
                            try await body(
                                RandomRoleTwin(
                                    whole: whole, role: role, reduced: reduced, database: database,
                                    twinDatabase: twinDatabase, server: server, twin: twin, token: token,
                                    name: "seed \(seed), \(backend)", random: random))
                        }
                    }
                }
            }
        }
    }
}
