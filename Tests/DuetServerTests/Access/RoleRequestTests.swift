import DuetJSON
import DuetPersistedDocuments
import DuetResourceService
import DuetServer
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@Suite("Requests of callers with roles") struct RoleRequestTests {
    @Test("A caller sees the rows that its claims select, over REST and GraphQL", arguments: TestBackend.available)
    func rows(backend: TestBackend) async throws {
        try await RoleServer.with(backend) { client async throws in
            for number in [20001, 20002] as [Int64] {
                let caller = RoleServer.employee(number)
                let list = try await client.get("/employees?count=true", caller)
                #expect(try list.array().map { $0["employeeNumber"] } == [.integer(number)])
                #expect(list["Total-Count"] == "1")
                #expect(try await client.get("/employees/\(number)?details=titles,salaries", caller).status == 200)
                let other = try await client.get("/employees/\(number == 20001 ? 20002 : 20001)", caller)
                #expect(other.status == 404 && other.code == "unknown-employee")
                let query = """
                    { employee(id: \(number)) { lastName titles { title } } other: employee(id: 20003) { lastName }
                        employees { totalCount nodes { employeeNumber } } salaries { nodes { employeeNumber } } }
                    """
                let data = try await client.graphQL(query, nil, caller).data()
                #expect(data["employee"] != .null && data["other"] == .null)
                #expect(data["employees"]?["totalCount"] == 1)
                for format in ["text/csv", "application/x-ndjson"] {
                    let export = try await client.get(
                        "/employees", caller.merging(["Accept": format]))
                    #expect(export.status == 200 && export.text.contains("\(number)"))
                    #expect(!export.text.contains("20003"))
                }
            }
            #expect(try await client.get("/employees?count=true", RoleServer.clerkHeaders)["Total-Count"] == "12")
        }
    }

    @Test("What a role does not see is in no route, no document, no error and no page")
    func contract() async throws {
        let tasks = TaskSource.generated { service in
            .array(service.catalogue.resources.map { .string($0.name) })
        }
        try await RoleServer.with(tasks: tasks) { client async throws in
            let caller = RoleServer.employee(20001)
            for path in ["/managers", "/assignments", "/employees/20001/departments", "/employees/20001/manager"] {
                let response = try await client.get(path, caller)
                #expect(response.status == 404 && response.code == "unknown-path", "\(path)")
            }
            for target in [
                "/employees?fields=birthDate", "/employees?sort=birthDate", "/employees?birthDate.gt=1960-01-01",
            ] {
                let response = try await client.get(target, caller)
                #expect(response.status == 400, "\(target)")
                let allowed = response.strings("allowed") ?? []
                #expect(!allowed.contains { $0.contains("birthDate") }, "\(target)")
            }
            let documents = [
                "/openapi.yaml", "/openapi.json", "/schema.graphql", "/?api", "/employees?api", "/comparison/keys.json",
                "/comparison/tasks.json", "/problems",
            ]
            for document in documents {
                let own = try await client.get(document, caller).text.lowercased()
                let all = try await client.get(document, RoleServer.clerkHeaders).text.lowercased()
                let anonymous = try await client.get(document).text.lowercased()
                #expect(own.contains("employee") && all.contains("employee"), "\(document)")
                for hidden in ["manager", "birthdate", "assignment"] {
                    #expect(!own.contains(hidden), "\(document): \(hidden)")
                }
                #expect(!anonymous.contains("fromdate"), "\(document)")
                #expect(own != anonymous, "\(document)")
                // Only employees and departments have items, and the caller sees both resources.
                #expect((own == all) == ["/comparison/keys.json", "/problems"].contains(document), "\(document)")
            }
            let types = try await client.graphQL("{ __schema { types { name fields { name } } } }", nil, caller)
            #expect(try types.data() != .null)
            #expect(!types.text.contains("birthDate") && !types.text.contains("DepartmentManager"))
            let wrong = try await client.graphQL("{ employees { nodes { birthDat } } }", nil, caller)
            #expect(wrong.status == 200 && !wrong.text.contains("birthDate"))
        }
    }

    @Test("A role without writes has no routes for them", arguments: ["POST", "PATCH", "PUT", "DELETE"])
    func writes(method: String) async throws {
        try await RoleServer.with { client async throws in
            let response = try await client.send(
                HTTPMethod(rawValue: method), "/employees/20001", json: "{}", RoleServer.clerkHeaders)
            #expect(response.status == 405)
            #expect(response["Allow"] == "GET, HEAD, OPTIONS")
            let mutation = "mutation { deleteEmployee(input: {id: 20001}) { errors { message } } }"
            #expect(try await client.graphQL(mutation, nil, RoleServer.clerkHeaders).text.contains("errors"))
            #expect(try await client.get("/employees/20001", RoleServer.clerkHeaders).status == 200)
        }
    }

    // MARK: Claims

    /// The claims of tokens that cannot be compared with the fields, with the code of the problem.
    static let unusable: [(claims: JSONObject, code: String)] = [
        (["role": "staff"], "claim-missing"), (["role": "staff", "employee": nil], "claim-missing"),
        (["role": "staff", "employee": "Ada"], "claim-mismatch"),
        (["role": "staff", "employee": [20001]], "claim-mismatch"),
        (["role": "staff", "employee": 20001.5], "claim-mismatch"),
        (["role": "staff", "employee": true], "claim-mismatch"),
        (["role": "staff", "employee": "20001 OR 1=1"], "claim-mismatch"),
    ]

    @Test("A request for a resource whose condition has an unusable claim is refused as a whole", arguments: unusable)
    func claims(claims: JSONObject, code: String) async throws {
        try await RoleServer.with { client async throws in
            let caller = RoleServer.headers(claims)
            let targets = [
                "/employees", "/employees/20001", "/employees/20003",
                "/employees?filter={\"not\":{\"lastName\":{\"eq\":\"x\"}}}",
                "/employees/20001/titles", "/titles", "/employees?count=true&first=1",
            ]
            for target in targets {
                let target = target.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? target
                for accept in ["*/*", "text/csv", "application/x-ndjson"] {
                    let response = try await client.get(target, caller.merging(["Accept": accept]))
                    guard response.status != 406 else { continue }
                    #expect(response.status == 403 && response.code == code, "\(target): \(response.text)")
                    #expect(response["Cache-Control"] == "no-store")
                }
            }
            // A resource without a condition needs no claim.
            #expect(try await client.get("/departments", caller).status == 200)
            let graphQLCode = code.uppercased().replacing("-", with: "_")
            let documents = [
                "{ employees { totalCount } }", "{ departments { departmentName } employee(id: 1) { lastName } }",
                "{ departments { id } ... @defer { employees { totalCount } } }", "{ titles { nodes { title } } }",
            ]
            for document in documents {
                for (accept, status) in [
                    ("application/json", 200), ("application/graphql-response+json", 403),
                    ("multipart/mixed, application/json", 200),
                ] {
                    let response = try await client.graphQL(document, nil, caller.merging(["Accept": accept]))
                    #expect(response.status == status, "\(document): \(response.text)")
                    #expect(response.text.contains("\"code\":\"\(graphQLCode)\""), "\(document): \(response.text)")
                    #expect(!response.text.contains("\"data\""), "\(document)")
                    #expect(response["ETag"] == nil && response["Cache-Control"] == "no-store")
                }
            }
            let departments = try await client.graphQL("{ departments { departmentName } }", nil, caller)
            #expect(try departments.data()["departments"] != .null)
        }
    }

    @Test("An element of a list of GraphQL requests that needs a missing claim has no data, and the others have")
    func batch() async throws {
        var settings = ServerSettings()
        settings.graphQL.maximumBatchSize = 3
        try await RoleServer.with(settings: settings) { client async throws in
            let response = try await client.send(
                .POST, "/graphql", json: #"[{"query":"{ departments { id } }"},{"query":"{ titles { totalCount } }"}]"#,
                RoleServer.headers(["role": "staff"]))
            let answers = try response.array()
            #expect(answers.first?["data"]?["departments"] != nil)
            #expect(answers.last?["data"] == nil && answers.last?["errors"] != nil)
            #expect(response.text.contains("CLAIM_MISSING"))
        }
    }

    @Test("A list as a claim selects several rows, and an empty list selects none")
    func lists() async throws {
        try await RoleServer.with { client async throws in
            for (numbers, count) in [([20001, 20003] as JSONValue, "3"), ([20003], "1"), ([], "0"), ([1], "0")] {
                let caller = RoleServer.headers(["role": "staff", "app": ["numbers": numbers]])
                #expect(try await client.get("/salaries?count=true", caller)["Total-Count"] == count)
            }
            let single = RoleServer.headers(["role": "staff", "app": ["numbers": 20001]])
            #expect(try await client.get("/salaries", single).code == "claim-mismatch")
            let none = RoleServer.headers(["role": "staff", "app": [20001]])
            #expect(try await client.get("/salaries", none).code == "claim-missing")
        }
    }

    // MARK: The caller

    @Test("GET /whoami returns the role, the expiry and the claims that the rules use")
    func caller() async throws {
        try await RoleServer.with { client async throws in
            let headers = RoleServer.headers([
                "role": ["staff", "clerk"], "employee": 20001, "secret": "x", "exp": 4_102_444_800,
            ])
            let response = try await client.get("/whoami", headers)
            #expect(
                response.text
                    == #"{"role":"staff","roles":["staff","clerk"],"expires":"2100-01-01T00:00:00Z","#
                    + #""claims":{"employee":20001,"app.numbers":null}}"#)
            #expect(response["Cache-Control"] == "no-store" && response["ETag"] == nil)
            let clerk = try await client.get("/whoami", headers.merging(["Duet-Role": "clerk"]))
            #expect(clerk.string("role") == "clerk")
            #expect(
                try await client.get("/whoami").text
                    == #"{"role":"visitor","roles":["visitor"],"expires":null,"claims":{}}"#)
            #expect(try await client.get("/whoami?x=1").code == "unknown-parameter")
            let openAPI = try await client.get("/openapi.json", headers).json()
            #expect(openAPI["paths"]?["/whoami"]?["get"] != nil)
            #expect(openAPI["components"]?["securitySchemes"]?["token"]?["scheme"] == "bearer")
            #expect(try await client.get("/?api", headers).text.contains("/whoami"))
        }
        try await withServer(.sqlite) { server async throws in
            #expect(try await server.client.get("/whoami").code == "unknown-path")
            let openAPI = try await server.client.get("/openapi.json").json()
            #expect(openAPI["components"]?["securitySchemes"] == nil && openAPI["security"] == [])
        }
    }

    @Test("The tasks of the page contain only rows that the caller sees")
    func tasks() async throws {
        let tasks = TaskSource.generated { service in
            let answer = try await service.answer(
                Question(
                    .list(resource: "employees", Window()),
                    .list(.array(Selection([.field(name: "employeeNumber", "employeeNumber")])))))
            return try JSONValue(parsing: answer.body.readableBytesView)
        }
        try await RoleServer.with(tasks: tasks) { client async throws in
            for number in [20001, 20002] as [Int64] {
                for _ in 1...2 {
                    let response = try await client.get("/comparison/tasks.json", RoleServer.employee(number))
                    #expect(try response.array().map { $0["employeeNumber"] } == [.integer(number)])
                    #expect(response["Cache-Control"] == "private, no-cache")
                }
            }
        }
    }

    @Test("Concurrent first requests of all roles succeed")
    func concurrent() async throws {
        try await RoleServer.with { client async throws in
            try await withThrowingTaskGroup(of: Int.self) { tasks in
                for number in 0..<60 {
                    let headers = [RoleServer.employee(20001), RoleServer.clerkHeaders, [:]][number % 3]
                    tasks.addTask { try await client.get("/departments", headers).status }
                }
                for try await status in tasks { #expect(status == 200) }
            }
            let metrics = try await client.metrics()
            // The counters of the caches are the sums over all roles.
            _ = try await client.graphQL("{ departments { id } }")
            _ = try await client.graphQL("{ departments { id } }", nil, RoleServer.clerkHeaders)
            let after = try await client.metrics()
            let name = "duet_graphql_operation_cache_misses_total"
            #expect(after.value(name) - metrics.value(name) == 2)
        }
    }

    // MARK: Registered documents

    @Test("A caller that sends the hash of a document for another role does not receive the names in the document")
    func registered() async throws {
        let document = "{ employees { nodes { birthDate } } }"
        try await RoleServer.with { client async throws in
            let extensions =
                #"{"persistedQuery":{"version":1,"sha256Hash":"\#(DocumentHash(of: document))"}}"#
            let register = APIClient.graphQLTarget(["query": document, "extensions": extensions])
            #expect(try await client.get(register, RoleServer.clerkHeaders).status == 200)
            let target = APIClient.graphQLTarget(["extensions": extensions])
            #expect(try await client.get(target, RoleServer.clerkHeaders).status == 200)
            let refused = try await client.get(target, RoleServer.employee(20001))
            #expect(refused.codes == ["PERSISTED_QUERY_NOT_FOUND"])
            #expect(!refused.text.contains("birthDate"))
            // The caller that knows the text gets the errors in it.
            let own = try await client.get(register, RoleServer.employee(20001))
            #expect(own.codes == ["GRAPHQL_VALIDATION_FAILED"])
        }
    }
}

extension HTTPHeaders {
    /// Returns a copy with further fields.
    func merging(_ fields: HTTPHeaders) -> HTTPHeaders {
        var merged = self
        merged.add(contentsOf: fields)
        return merged
    }
}
