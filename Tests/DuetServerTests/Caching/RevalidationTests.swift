import DuetEmployees
import DuetPersistedDocuments
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import NIOHTTP1
import TestSupport
import Testing

/// Tests of conditional reads over REST and GraphQL, and of the number of statements that the reads run.
@Suite("Revalidation") struct RevalidationTests {
    private static let targets = [
        "/employees/20001?details=titles&details=salaries", "/employees?first=3", "/departments",
        "/graphql?query=%7Bemployee(id:20001)%7BlastName%20titles%7Btitle%7D%7D%7D",
    ]

    @Test(
        "A conditional request is a 304 before a write to the data, and a 200 with the new body after the write",
        arguments: TestBackend.available)
    func current(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for target in Self.targets {
                let fresh = try await server.client.get(target)
                let tag = try #require(fresh["ETag"])
                for _ in 0..<3 {
                    let unchanged = try await server.client.get(target, ["If-None-Match": tag])
                    #expect(unchanged.status == 304 && unchanged.isEmpty, "\(target)")
                    for name in ["ETag", "Cache-Control", "Vary"] { #expect(unchanged[name] == fresh[name]) }
                    #expect(try await server.client.head(target, ["If-None-Match": tag]).status == 304)
                    // A request with an entity tag that does not match is a 200.
                    let other = try await server.client.get(target, ["If-None-Match": "\"other\""])
                    #expect(other.status == 200 && other.text == fresh.text)
                }
            }
            let target = Self.targets[0]
            let before = try await server.client.get(target)
            let tag = try #require(before["ETag"])
            #expect(try await server.client.get(target, ["If-None-Match": tag]).status == 304)
            let written = try await server.client.send(.PATCH, "/employees/20001", json: #"{"lastName":"Changed"}"#)
            #expect(written.status == 200)
            let after = try await server.client.get(target, ["If-None-Match": tag])
            #expect(after.status == 200 && after.text.contains("Changed") && after["ETag"] != tag)
        }
    }

    @Test("The validator of a private response is not cached, because the response can depend on the caller")
    func privateResponses() async throws {
        func withCondition(_ service: ResourceService) throws -> ResourceService {
            let resources = service.catalogue.resources.map { resource in
                var resource = resource
                if resource.name == "employees" {
                    resource.condition = .compare("employeeNumber", .greater, [.parameter("least")])
                }
                return resource
            }
            var conditional = ResourceService(
                try Catalogue(resources, description: service.catalogue.description), database: service.database,
                encoding: service.encoding)
            conditional.parameters = ["least": 20_000]
            return conditional
        }
        try await withServer(.sqlite, service: withCondition) { server in
            for target in Self.targets.filter({ $0 != "/departments" }) {
                let fresh = try await server.client.get(target)
                #expect(fresh.status == 200 && fresh["Cache-Control"]?.contains("private") == true, "\(target)")
                let tag = try #require(fresh["ETag"])
                for _ in 0..<3 {
                    server.statements.removeAll()
                    #expect(try await server.client.get(target, ["If-None-Match": tag]).status == 304)
                    #expect(!server.statements.take().isEmpty, "\(target)")
                }
            }
        }
    }

    @Test("Revalidation on SQLite runs no statement until another writer changes the database")
    func statements() async throws {
        try await withServer(.sqlite) { server in
            let other = Database(server.database.url, configuration: DatabaseConfiguration(poolSize: 1))
            for (index, target) in Self.targets.enumerated() {
                let tag = try #require(try await server.client.get(target)["ETag"])
                // The first conditional request stores the database version of the body.
                #expect(try await server.client.get(target, ["If-None-Match": tag]).status == 304)
                server.statements.removeAll()
                for accepted in ["identity", "gzip"] {
                    let unchanged = try await server.client.get(
                        target, ["If-None-Match": tag, "Accept-Encoding": accepted])
                    #expect(unchanged.status == 304)
                    #expect(unchanged["Server-Timing"]?.contains(#"desc="0""#) == true)
                }
                #expect(server.statements.take().isEmpty, "\(target)")
                try await other.write { connection in
                    try connection.execute(
                        "UPDATE employees SET first_name = :name WHERE emp_no = 20002", ["name": .text("N\(index)")])
                }
                server.statements.removeAll()
                let checked = try await server.client.get(target, ["If-None-Match": tag])
                #expect(checked.status == (target.hasPrefix("/employees?") ? 200 : 304), "\(target)")
                #expect(!server.statements.take().isEmpty)
            }
            await other.close()
        }
    }

    @Test(
        "Revalidation on MariaDB runs no statement if this server is the only writer",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func singleWriter() async throws {
        var configuration = DatabaseConfiguration(poolSize: 4)
        configuration.isSingleWriter = true
        try await withServer(.mariaDB, configuration: configuration) { server in
            for (index, target) in Self.targets.enumerated() {
                let tag = try #require(try await server.client.get(target)["ETag"])
                #expect(try await server.client.get(target, ["If-None-Match": tag]).status == 304)
                server.statements.removeAll()
                #expect(try await server.client.get(target, ["If-None-Match": tag]).status == 304)
                #expect(server.statements.take().isEmpty, "\(target)")
                let name = #"{"lastName":"Changed \#(index)"}"#
                #expect(try await server.client.send(.PATCH, "/employees/20001", json: name).status == 200)
                server.statements.removeAll()
                let checked = try await server.client.get(target, ["If-None-Match": tag])
                #expect(checked.status == (target == "/departments" ? 304 : 200), "\(target)")
                #expect(!server.statements.take().isEmpty)
            }
        }
    }

    @Test("Each conditional request by hash counts as a hit of the persisted query")
    func hashes() async throws {
        try await withServer(.sqlite) { server in
            let document = "{departments{departmentName}}"
            let hash = DocumentHash(of: document).description
            let extensions = "%7B%22persistedQuery%22:%7B%22version%22:1,%22sha256Hash%22:%22\(hash)%22%7D%7D"
            let target = "/graphql?extensions=\(extensions)"
            let registered = try await server.client.get(target + "&query=%7Bdepartments%7BdepartmentName%7D%7D")
            let tag = try #require(registered["ETag"])
            let before = try await server.client.metrics()
            for _ in 0..<3 { #expect(try await server.client.get(target, ["If-None-Match": tag]).status == 304) }
            let after = try await server.client.metrics()
            let (hits, memory) = ("duet_persisted_query_hits_total", ["level": "memory"])
            #expect(after.value(hits, memory) == before.value(hits, memory) + 3)
        }
    }

    @Test(
        "An entity tag of one media type does not match a body of another media type, even if the bytes are equal",
        arguments: TestBackend.available)
    func mediaTypes(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let target = "/graphql?query=%7Bdepartments%7BdepartmentName%7D%7D"
            let types = ["application/json", "application/graphql-response+json"]
            var tags: [String] = []
            for type in types {
                let response = try await server.client.get(target, ["Accept": type])
                tags.append(try #require(response["ETag"]))
            }
            for (type, tag) in zip(types, tags) {
                for known in tags {
                    let status = try await server.client.get(target, ["Accept": type, "If-None-Match": known]).status
                    #expect(status == (known == tag ? 304 : 200))
                }
            }
        }
    }

    @Test("An earlier 304 does not hide the error of a later conditional request")
    func failures() async throws {
        try await withServer(.sqlite) { server in
            let target = "/employees/20001"
            let tag = try #require(try await server.client.get(target)["ETag"])
            for _ in 0..<3 { _ = try await server.client.get(target, ["If-None-Match": tag]) }
            #expect(try await server.client.get(target + "?x=1", ["If-None-Match": tag]).status == 400)
            #expect(
                try await server.client.get(target, ["If-None-Match": tag, "Accept": "text/html"]).status == 406)
            #expect(try await server.client.get(target, ["If-None-Match": tag, "If-Match": "\"x\""]).status == 412)
            #expect(try await server.client.send(.DELETE, target).status == 204)
            #expect(try await server.client.get(target, ["If-None-Match": tag]).status == 404)
        }
    }
}
