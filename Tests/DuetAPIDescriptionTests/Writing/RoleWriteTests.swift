import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import ProcessTesting
import TestSupport
import Testing

@Suite("Writes with roles from a description") struct RoleWriteTests {
    private static let roles = """
        roles:
          customer:
            resources:
              customers: {read: {where: {id: {eq: {claim: customer}}}}}
              orders:
                read: {except: [createdBy], where: {customerId: {eq: {claim: customer}}}}
                create: {except: [customerId], set: {customerId: {claim: customer}, createdBy: {claim: sub}}}
                update: {where: {note: {null: true}}, fields: [note], check: {note: {ne: private}}}
          clerk:
            resources:
              "*": {read: {}, delete: {where: {id: {gt: 10}}}}

        """

    /// A request with the expected status. If `isExplained` is true, the permissions of the role determine the status,
    /// and the rows of the database do not matter.
    private struct Request {
        var method: String
        var path: String
        var body: JSONValue?
        var caller: JSONObject
        var status: Int
        var isExplained = true
    }

    private static let ada: JSONObject = ["role": "customer", "customer": 1, "sub": "ada"]
    private static let clerk: JSONObject = ["role": "clerk"]

    private static let requests = [
        Request(method: "POST", path: "/orders", body: ["id": 12, "total": "3"], caller: ada, status: 201),
        Request(
            method: "POST", path: "/orders", body: ["id": 13, "total": "3", "customerId": 2], caller: ada, status: 422),
        Request(
            method: "POST", path: "/orders", body: ["id": 13, "total": "3"],
            caller: ["role": "customer", "customer": 1], status: 403),
        Request(
            method: "POST", path: "/orders", body: ["id": 13, "total": "3"],
            caller: ["role": "customer", "customer": 1, "sub": 7], status: 403),
        Request(
            method: "PATCH", path: "/orders/10", body: ["note": "private"], caller: ada, status: 403, isExplained: false
        ),
        Request(method: "PATCH", path: "/orders/10", body: ["note": "x"], caller: ada, status: 200),
        Request(method: "PATCH", path: "/orders/10", body: ["note": "y"], caller: ada, status: 403, isExplained: false),
        Request(method: "PATCH", path: "/orders/11", body: ["note": "y"], caller: ada, status: 404, isExplained: false),
        Request(method: "PATCH", path: "/orders/12", body: ["total": "4"], caller: ada, status: 422),
        Request(method: "DELETE", path: "/orders/12", caller: ada, status: 405),
        Request(method: "POST", path: "/customers", body: ["id": 3, "name": "Eve"], caller: ada, status: 405),
        Request(method: "PATCH", path: "/orders/12", body: ["note": "x"], caller: clerk, status: 405),
        Request(method: "DELETE", path: "/orders/10", caller: clerk, status: 403, isExplained: false),
        Request(method: "DELETE", path: "/orders/11", caller: clerk, status: 204),
    ]

    @Test("The server answers a change as the explanation of the request says", arguments: TestBackend.available)
    func explained(_ backend: TestBackend) async throws {
        let api = try APIDescription(reading: WritableShop.description + Self.roles, file: "shop.yaml")
        let roles = try api.resolvedRoles().map(\.role)
        try await WritableShop.with(backend, roles: roles) { shop in
            let service = ResourceService(
                api.catalogue, database: shop.database, encoding: ValueEncoding(dates: .iso))
            for request in Self.requests {
                let answer = try await shop.send(request.method, request.path, request.body, caller: request.caller)
                #expect(answer.status == request.status, "\(request) \(answer.body)")
                let role = try #require(roles.first { .string($0.name) == request.caller["role"] })
                let access = try await AccessExplainer(service, role: role, claims: request.caller).access(
                    of: .rest(method: request.method, path: request.path, query: [], body: request.body))
                let expected = request.isExplained && request.status >= 400 ? [request.status] : []
                #expect(access.refusals.map(\.status) == expected, "\(request) \(access.refusals)")
            }
            let stored = try await shop.send("GET", "/orders?fields=id,customerId,note,createdBy", caller: Self.clerk)
            #expect(
                stored.body == """
                    [{"id":10,"customerId":1,"note":"x","createdBy":null},\
                    {"id":12,"customerId":1,"note":null,"createdBy":"ada"}]
                    """)
        }
    }
}
