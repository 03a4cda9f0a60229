import DuetClient
import DuetJSON
import Foundation
import ProcessTesting

/// An employee with a name.
struct EmployeeName: DataDecodable {
    static let typeName: String? = "Employee"
    let id: String
    let lastName: String

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        lastName = try decoder.value("lastName")
    }
}

/// A query for one employee.
struct EmployeeQuery: GraphQLQuery {
    struct Data: DataDecodable {
        let employee: EmployeeName?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value("employee", arguments: ["id": .variable("id", "ID!")])
        }
    }

    var id = "10004"
    var variables: JSONObject { ["id": .string(id)] }
}

/// A mutation that changes the last name of an employee.
struct RenameEmployee: GraphQLMutation {
    struct Data: DataDecodable {
        let payload: Payload?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            payload = try decoder.value(
                "updateEmployee", arguments: ["input": .variable("input", "UpdateEmployeeInput!")])
        }
    }

    struct Payload: DataDecodable {
        let employee: EmployeeName?

        init(from decoder: DynamicDecoder) throws(ModelError) { employee = try decoder.value("employee") }
    }

    var id = "10004"
    var lastName: String
    var variables: JSONObject { ["input": ["id": .string(id), "lastName": .string(lastName)]] }
}

extension CachePolicies {
    /// The cache policies for the employees API.
    static var employees: CachePolicies {
        CachePolicies(
            keyFields: ["Employee": ["id"]], lookups: [FieldLookup(field: "employee", entity: "Employee")])
    }
}

/// Calls a closure with a server that has sample data, and with a client of this server.
func withClient(_ body: (GraphQLClient, Server) async throws -> Void) async throws {
    try await SampleDatabase.with { folder, database in
        try await Server.with(["--database", database], in: folder) { server in
            guard let url = URL(string: server.base + "/graphql") else { throw URLError(.badURL) }
            let endpoint = GraphQLEndpoint(url: url)
            try await body(GraphQLClient(transport: endpoint, store: GraphQLStore(policies: .employees)), server)
        }
    }
}
