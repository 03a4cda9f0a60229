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
        try await RandomRoleTwin.forEach(backend, seedOffset: 2_000, hidesKeys: true) { twin in
            var random = twin.random
            for request in Self.requests(twin, &random) {
                let differences = try await twin.comparison.differences(request)
                #expect(differences == [])
            }
        }
    }

    // MARK: Requests

    private static func requests(
        _ twin: RandomRoleTwin, _ random: inout SplitMix64
    ) -> [AnswerComparison.Request] {
        // The model of the whole schema also creates questions with hidden names and with values of hidden rows.
        let (whole, visible, reduced) = (twin.whole, twin.visible, twin.reduced)
        var requests: [AnswerComparison.Request] = [.init(target: "/schema.graphql")]
        for number in 0..<8 {
            // The last questions use the hidden parts, too.
            let model = number < 6 ? visible : whole
            guard let resource = model.catalogue.resources.randomElement(using: &random) else { continue }
            let question = model.question(resource, depth: 2, &random).withCompleteOrders(reduced)
            requests += self.requests(question, in: ["application/json", "text/csv", "application/x-ndjson"])
        }
        for resource in whole.catalogue.resources {
            requests.append(.init(target: "/\(resource.name)"))
            for row in (whole.schema.table(resource.table)?.rows ?? []).prefix(4) {
                let item = RandomModel.target(of: row, resource)
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
