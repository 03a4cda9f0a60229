import DuetClient
import Foundation

extension ArticleCode {
    struct TitlesQuery: DocumentQuery {
        struct Data: Codable, Sendable {
            struct Employee: Codable, Sendable {
                let id: String
                var lastName: String
                var titles: [Title]
            }
            struct Title: Codable, Sendable {
                let title: String
                let fromDate: Date
            }
            var employee: Employee?
        }

        static let source = """
            query Titles($id: ID!, $current: Boolean = true) {
              employee(id: $id) { id ...Name titles(current: $current) { title fromDate } }
            }
            fragment Name on Employee { lastName }
            """
        var id: String
        var variables: JSONObject { ["id": id.inputValue] }
    }

    /// A replacement for `Bundle.module`. In an app, the Swift package manager generates this property.
    private enum Bundle {
        static let module = Foundation.Bundle.main
    }

    enum FileQuery: DocumentQuery {
        typealias Data = TitlesQuery.Data
        static var source: String {
            get throws(ModelError) { try Bundle.module.graphQLDocument(named: "Titles") }
        }
        static var dates: DateCoding { .iso8601 }
    }

    static let policiesWithTypes = CachePolicies(
        keyFields: ["Employee": ["id"]], types: TypeConditions(possibleTypes: ["Node": ["Employee", "Department"]]))

    static func update(_ client: GraphQLClient) async throws {
        try await client.store.withinReadWriteTransaction { transaction in
            try transaction.update(TitlesQuery(id: "10004")) { $0.employee?.lastName = "Smith" }
        }
    }
}
