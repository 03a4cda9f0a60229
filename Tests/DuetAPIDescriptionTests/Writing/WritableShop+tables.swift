import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import DuetTokens
import ProcessTesting
import ServerTestSupport
import TestSupport

extension WritableShop {
    /// Serves the tables of a script while the closure runs. Introspection describes them, and permits all writes.
    /// - Parameters:
    ///   - statements: Further statements, for example of triggers.
    ///   - administrator: True for the account of MariaDB's administrator, who can read the binary log.
    ///   - roles: The roles. Without roles, every caller may write.
    ///   - hooks: The rules for changes.
    static func with(
        _ backend: TestBackend, tables script: String, _ statements: String..., administrator: Bool = false,
        roles: [Role] = [],
        hooks: ChangeHooks = [:],
        _ body: @Sendable @escaping (WritableShop) async throws -> Void
    ) async throws {
        try await TestDatabase.with(backend, schema: false, administrator: administrator) { database in
            for text in try SQLScript(script).statements + statements {
                try await database.write { try $0.execute(text) }
            }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let api = try IntrospectedDescription(of: schema, writes: true).api.fitted(to: schema)
            let service = ResourceService(
                api.catalogue, database: database, encoding: ValueEncoding(dates: .iso), hooks: hooks)
            let access =
                roles.isEmpty
                ? nil
                : AccessSettings(
                    roles: roles,
                    authenticator: TokenAuthenticator(
                        TokenRequirements(issuer: TestToken.issuer, audience: TestToken.audience),
                        keys: StaticKeySource(try JSONWebKeySet(secret: TestToken.secret.utf8))))
            try await ServiceServer.with(service, access: access) { server in
                try await body(WritableShop(server: server, database: database))
            }
        }
    }

    /// A problem: its status, its code, the fields of its errors, and the relation.
    struct Problem: Equatable {
        var status: Int
        var code: String
        var fields: [String] = []
        var relation: String?

        init(_ status: Int, _ code: String, _ fields: [String] = [], relation: String? = nil) {
            self.status = status
            self.code = code
            self.fields = fields
            self.relation = relation
        }
    }

    /// Sends a request, and returns the problem of the answer.
    func problem(
        _ method: String, _ path: String, _ body: JSONValue? = nil, caller claims: JSONObject? = nil
    ) async throws -> Problem {
        try await Self.problem(send(method, path, body, caller: claims))
    }

    /// Returns the problem of an answer. The code of another answer is empty.
    static func problem(_ answer: HTTPAnswer) throws -> Problem {
        guard answer.status >= 400 else { return Problem(answer.status, "") }
        let json = try answer.json
        guard case .string(let code)? = json["code"] else { return Problem(answer.status, answer.body) }
        var problem = Problem(answer.status, code)
        if case .array(let errors)? = json["errors"] {
            problem.fields = errors.compactMap { if case .string(let field)? = $0["field"] { field } else { nil } }
        }
        if case .string(let relation)? = json["relation"] { problem.relation = relation }
        return problem
    }
}
