import DuetEmployees
import DuetResourceService
import DuetServer
import NIOHTTP1
import TestSupport
import Testing

/// Tests of the cache tags of a REST or GraphQL response. A cache can purge all responses that have a cache tag.
@Suite("Surrogate-Key and Cache-Tag") struct EntityTagNamesTests {
    private static func query(_ text: String) -> String { APIClient.graphQLTarget(["query": text]) }

    @Test(
        "Surrogate-Key and Cache-Tag contain the cache tags of the rows in a response",
        arguments: TestBackend.available)
    func names(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (target, names) in [
                ("/employees/20001", ["Employee:20001"]), ("/employees/20001?fields=lastName", ["Employee:20001"]),
                ("/employees/20001/titles", ["Employee:20001"]),
                (Self.query("{ employee(id: 20001) { lastName titles { title } } }"), ["Employee:20001"]),
                // The employee does not exist, but may be created later.
                (Self.query("{ employee(id: 99999) { lastName } }"), ["Employee:99999"]),
                (
                    Self.query("{ a: employee(id: 20002) { id } b: employee(id: 20001) { id } }"),
                    ["Employee:20001", "Employee:20002"]
                ),
            ] {
                let response = try await server.client.get(target)
                #expect(response.status == 200)
                #expect(response["Surrogate-Key"] == names.joined(separator: " "), "\(target)")
                #expect(response["Cache-Tag"] == names.joined(separator: ","), "\(target)")
            }
        }
    }

    @Test(
        "A list also has the cache tag of its type, because the list can later contain other rows",
        arguments: TestBackend.available)
    func lists(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (target, twin) in [
                ("/employees?first=2", "{ employees(first: 2) { nodes { employeeNumber firstName } } }"),
                ("/departments", "{ departments { departmentNumber departmentName } }"),
                (
                    "/departments?details=managers",
                    "{ departments { departmentNumber managers { employeeNumber } } }"
                ),
                (
                    "/employees?first=3&details=departments",
                    "{ employees(first: 3) { edges { node { id departments { departmentNumber } } } } }"
                ),
            ] {
                let rest = try #require(try await server.client.get(target)["Surrogate-Key"])
                let graphQL = try await server.client.get(Self.query(twin))["Surrogate-Key"]
                #expect(graphQL == rest, "\(target)")
                let kind = target.hasPrefix("/departments") ? "Department" : "Employee"
                #expect(rest.split(separator: " ").contains(Substring(kind)), "\(target): \(rest)")
                #expect(rest.contains("\(kind):"))
            }
            let two = try await server.client.get("/employees?first=2")["Surrogate-Key"]
            #expect(two == "Employee Employee:20001 Employee:20002")
            let staff = try await server.client.get(
                Self.query("{ department(id: \"d001\") { employees(first: 5) { nodes { employeeNumber } } } }"))
            let tags = try #require(staff["Surrogate-Key"]).split(separator: " ")
            #expect(tags.starts(with: ["Department:d001", "Employee"]))
        }
    }

    @Test("If a response has more than 100 rows of a type, it has only the cache tag of the type")
    func bound() async throws {
        try await withServer(.sqlite, data: .sample(150)) { server in
            let all = try await server.client.get("/employees?first=150")
            #expect(try all.array().count == 150)
            #expect(all["Surrogate-Key"] == "Employee")
            let some = try #require(try await server.client.get("/employees?first=100")["Surrogate-Key"])
            #expect(some.split(separator: " ").count == 101)
        }
    }

    @Test("A 304 has the cache tags of the 200. Errors, exports and GraphQL queries by POST have no cache tags")
    func others() async throws {
        try await withServer(.sqlite) { server in
            let target = "/employees/20001?details=departments"
            let fresh = try await server.client.get(target)
            let names = try #require(fresh["Surrogate-Key"])
            let tag = try #require(fresh["ETag"])
            for _ in 0..<3 {
                let unchanged = try await server.client.get(target, ["If-None-Match": tag])
                #expect(unchanged.status == 304 && unchanged["Surrogate-Key"] == names)
            }
            var responses = [try await server.client.get("/employees/99999")]
            responses.append(try await server.client.graphQL("{ employee(id: 20001) { id } }"))
            responses.append(try await server.client.get(Self.query("{ employee(id: \"x\") { id } }")))
            responses.append(try await server.client.get("/employees", ["Accept": "application/x-ndjson"]))
            for response in responses {
                #expect(response["Surrogate-Key"] == nil && response["Cache-Tag"] == nil)
            }
        }
        var settings = ServerSettings()
        settings.caching.namesEntities = false
        try await withServer(.sqlite, settings: settings) { server in
            let response = try await server.client.get("/employees/20001")
            #expect(response["Surrogate-Key"] == nil && response["Cache-Tag"] == nil)
        }
    }

    @Test(
        "A write over REST or GraphQL has the cache tags of the rows and types that it changes",
        arguments: TestBackend.available)
    func writes(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let client = server.client
            let patched = try await client.send(.PATCH, "/employees/20001", json: #"{"lastName":"Other"}"#)
            #expect(patched["Surrogate-Key"] == "Employee Employee:20001")
            let assigned = try await client.send(
                .PUT, "/employees/20001/departments/d009", json: #"{"fromDate":"2001-09-17"}"#)
            #expect(assigned["Surrogate-Key"] == "Department:d009 Employee Employee:20001", "\(assigned.text)")
            let mutated = try await client.graphQL(
                "mutation { a: deleteEmployee(input: {id: 20001}) { deletedId } b: deleteEmployee(input: {id: 20002}) { deletedId } }"
            )
            #expect(mutated["Surrogate-Key"] == "Employee Employee:20001 Employee:20002")
            let refused = try await client.graphQL("mutation { deleteEmployee(input: {id: 20001}) { deletedId } }")
            #expect(refused.status == 200 && refused["Surrogate-Key"] == nil)
            let deleted = try await client.send(.DELETE, "/employees/20003")
            #expect(deleted.status == 204 && deleted["Cache-Tag"] == "Employee,Employee:20003")
        }
    }
}
