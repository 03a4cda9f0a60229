import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import Foundation
import ProcessTesting
import SeededTesting
import ServerTestSupport
import TestSupport
import Testing

/// Compares a server with random roles with a server without roles, whose database has only the rows and whose API has
/// only the fields that a role sees.
@Suite("Random roles over HTTP") struct ReducedSchemaTests {
    @Test("The callers of a random role receive the bytes of a reduced database", arguments: TestBackend.available)
    func equalBytes(_ backend: TestBackend) async throws {
        for seed in TestScale.seeds(2) {
            var random = SplitMix64(seed: seed &+ 2_000)
            let schema = RandomSchema(ignoresCase: !seed.isMultiple(of: 2), &random)
            try await TestDatabase.with(backend, schema: false) { database in
                try await database.write { [script = schema.script(backend)] in try $0.executeScript(script) }
                let described = try IntrospectedDescription(of: try await database.read { try DatabaseSchema.read($0) })
                let whole = RandomModel(schema: schema, catalogue: described.api.catalogue)
                let role = try RandomRole(whole, hidesKeys: true, &random)
                let requests = Self.requests(role, whole, &random)
                let roles: JSONValue = ["random": ["resources": .object(role.permissions)]]
                let description = "\(described.yaml)\nroles: \(roles.compactText)\n"
                let token = TestToken(JSONObject(role.claims.map { ($0, $1) } + [("role", "random")])).field
                try await Self.withTwin(backend, role, whole) { twin in
                    try await DescribedServer.with(description, database) { server async throws in
                        let comparison = AnswerComparison(
                            server: server, twin: twin, token: token, name: "seed \(seed), \(backend)")
                        for request in requests {
                            let differences = try await comparison.differences(request)
                            #expect(differences == [])
                        }
                    }
                }
            }
        }
    }

    // MARK: Servers

    /// Runs a server without roles for what a role sees.
    private static func withTwin(
        _ backend: TestBackend, _ role: RandomRole, _ whole: RandomModel,
        _ body: @Sendable @escaping (ServiceServer) async throws -> Void
    ) async throws {
        let visible = whole.schema.keeping { role.sees($0, of: $1, whole) }
        try await TestDatabase.with(backend, schema: false) { database in
            // Rows can refer to rows that the role does not see.
            try await database.write { [script = visible.script(backend, enforcesReferences: false)] in
                try $0.executeScript(script)
            }
            try await DescribedServer.with(
                APIDescription(try role.reduced(whole.catalogue)), database, body)
        }
    }

    // MARK: Requests

    private static func requests(
        _ role: RandomRole, _ whole: RandomModel, _ random: inout SplitMix64
    ) -> [AnswerComparison.Request] {
        // The model of the whole schema also creates questions with hidden names and with values of hidden rows.
        guard let reduced = try? role.reduced(whole.catalogue) else { return [] }
        let model = RandomModel(schema: whole.schema, catalogue: reduced)
        var requests: [AnswerComparison.Request] = [.init(target: "/schema.graphql")]
        for number in 0..<8 {
            // The last questions use the hidden parts, too.
            let model = number < 6 ? model : whole
            guard let resource = model.catalogue.resources.randomElement(using: &random) else { continue }
            let question = model.question(resource, depth: 2, &random).withCompleteOrders(reduced)
            requests += self.requests(question, in: ["application/json", "text/csv", "application/x-ndjson"])
        }
        for resource in whole.catalogue.resources {
            requests.append(.init(target: "/\(resource.name)"))
            for row in (whole.schema.table(resource.table)?.rows ?? []).prefix(4) {
                let key = resource.key.map { name in
                    let value = (row[resource.field(name)?.column ?? ""] ?? .null).json
                    return value.hasPrefix("\"") ? RawJSON.text(value) : value
                }
                let item = "/\(resource.name)/\(KeySegment.text(key))"
                requests.append(.init(target: item))
                if let relation = resource.relations.randomElement(using: &random) {
                    requests.append(.init(target: "\(item)/\(relation.name)?count=true"))
                    requests.append(.init(target: "\(item)?details=\(relation.name)"))
                }
            }
            for field in resource.fields.shuffled(using: &random).prefix(3) {
                requests += [
                    .init(target: "/\(resource.name)?fields=\(field.name)"),
                    .init(target: "/\(resource.name)?filter=\(encoded("{\"\(field.name)\":{\"null\":false}}"))"),
                ]
            }
        }
        return requests
    }

    private static func requests(
        _ question: RandomQuestion, in formats: [String]
    ) -> [AnswerComparison.Request] {
        let query = question.restQuery + [("count", "true")]
        let text = query.map { "\($0.name)=\(encoded($0.value))" }.joined(separator: "&")
        let document = question.document(question.first ?? 100)
        return formats.map { .init(target: "/\(question.resource.name)?\(text)", accept: $0) } + [
            .init(target: "/graphql", body: JSONValue.object(["query": .string(document)]).compactText),
            .init(target: "/graphql?query=\(encoded(document))"),
        ]
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

extension RandomQuestion {
    /// Returns a question whose answer does not depend on the position of rows that are equal in its order.
    /// Without a key, a list can have such rows. Then they must be equal in all requested members, too.
    fileprivate func withCompleteOrders(_ catalogue: Catalogue) -> RandomQuestion {
        var copy = self
        if catalogue[resource.name]?.hasKey == false {
            let named = order.map(\.field)
            copy.order += resource.sortFields.filter { !named.contains($0) }.map { SortField($0) }
            copy.relations = []
        }
        copy.relations = copy.relations.map { ($0.relation, $0.question.withCompleteOrders(catalogue)) }
        return copy
    }
}
