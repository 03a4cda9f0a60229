import DuetClient
import Foundation

extension ArticleCode {
    static let policies = CachePolicies(
        keyFields: ["Employee": ["id"], "Department": ["id"]],
        lookups: [FieldLookup(field: "employee", entity: "Employee")],
        connections: ["employees"],
        timeToLive: TimeToLive(fields: ["Employee.salaries": .seconds(60)], types: ["Department": .seconds(3600)]))

    static func offline(_ client: some GraphQLService, show: (String) -> Void) async throws {
        let result = try await client.fetch(EmployeeQuery(id: "10004"), policy: .networkElseCache)
        if result.refreshError != nil, let received = result.received {
            let age = Date.now.timeIntervalSince1970 - Double(received) / 1000
            show("\(Int(age)) seconds old")
        }
    }

    static func missing(_ client: GraphQLClient) async throws -> Bool {
        let result = try await client.fetchMissing(EmployeeQuery(id: "10004"))
        let isPartlyCached = result.source == .cacheAndServer
        return isPartlyCached
    }

    static func transactions(_ client: GraphQLClient) async throws {
        try await client.store.withinReadWriteTransaction { transaction in
            try transaction.updateObject("Employee:10004") { $0["lastName"] = "Smith" }
            transaction.removeObject("Employee:10005")
        }
        let employee = try await client.store.withinReadTransaction { transaction in
            try transaction.readObject(ofType: Employee.self, withKey: "Employee:10004")
        }
        _ = employee
    }
}
