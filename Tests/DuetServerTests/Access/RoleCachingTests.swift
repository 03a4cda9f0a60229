import DuetResourceService
import DuetServer
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@Suite("Caching with roles") struct RoleCachingTests {
    private static let varying = "Accept, Accept-Encoding, Authorization, Duet-Role"

    @Test("Responses to a token are private, those of the anonymous role are public, and both vary")
    func cacheControl() async throws {
        var settings = ServerSettings()
        settings.caching.sharedMaximumAge = 600
        try await RoleServer.with(settings: settings) { client async throws in
            let targets = [
                ("/departments", "max-age=300, public, s-maxage=600", "max-age=300, private"),
                ("/departments/d005", "max-age=300, public, s-maxage=600", "max-age=300, private"),
                (
                    "/graphql?query=%7Bdepartments%7Bid%7D%7D", "max-age=300, public, s-maxage=600",
                    "max-age=300, private"
                ),
                ("/?api", "public, no-cache", "private, no-cache"),
            ]
            for (target, anonymous, token) in targets {
                let open = try await client.get(target)
                #expect(open["Cache-Control"] == anonymous && open["Vary"] == Self.varying, "\(target)")
                let own = try await client.get(target, RoleServer.clerkHeaders)
                #expect(own["Cache-Control"] == token && own["Vary"] == Self.varying, "\(target)")
                let unchanged = try await client.get(
                    target, RoleServer.clerkHeaders.merging(["If-None-Match": own["ETag"] ?? ""]))
                #expect(unchanged.status == 304 && unchanged["ETag"] == own["ETag"])
                #expect(unchanged["Cache-Control"] == token && unchanged["Vary"] == Self.varying)
            }
            for target in ["/openapi.yaml", "/schema.graphql", "/problems"] {
                let own = try await client.get(target, RoleServer.clerkHeaders)
                #expect(own["Cache-Control"] == "max-age=300, private", "\(target)")
                #expect(own["Vary"] == "Accept-Encoding, Authorization, Duet-Role", "\(target)")
                #expect(try await client.get(target)["Cache-Control"] == "max-age=300, public", "\(target)")
            }
            let export = try await client.get(
                "/employees", RoleServer.employee(20001).merging(["Accept": "text/csv"]))
            #expect(export["Cache-Control"] == "no-store" && export["Vary"] == Self.varying)
            let missing = try await client.get("/employees/1", RoleServer.clerkHeaders)
            #expect(missing["Cache-Control"] == "no-store" && missing["Vary"] == Self.varying)
            // The content of these paths is the same for all clients.
            let file = try await client.get("\(PageFiles.all.path)/explorer/main.js", RoleServer.clerkHeaders)
            #expect(file["Cache-Control"] == "public, max-age=31536000, immutable")
            #expect(file["Vary"] == "Accept-Encoding")
        }
        try await withServer(.sqlite) { server async throws in
            let response = try await server.client.get("/departments", RoleServer.clerkHeaders)
            #expect(response["Cache-Control"] == "max-age=300, public")
            #expect(response["Vary"] == "Accept, Accept-Encoding")
        }
    }

    @Test(
        "The entity tags of equal bodies differ for each role and each claim, and a tag is no evidence for other callers",
        arguments: TestBackend.available)
    func entityTags(backend: TestBackend) async throws {
        try await RoleServer.with(backend) { client async throws in
            let callers = [RoleServer.employee(20001), RoleServer.employee(20002), RoleServer.clerkHeaders, [:]]
            for target in ["/departments", "/graphql?query=%7Bdepartments%7Bid%7D%7D"] {
                var tags: [String] = []
                for caller in callers {
                    let response = try await client.get(target, caller)
                    #expect(try await client.get(target, caller)["ETag"] == response["ETag"])
                    tags.append(try #require(response["ETag"]))
                }
                #expect(Set(tags).count == callers.count, "\(target)")
                // Each caller revalidates each tag twice, so that the cache of validators can have an entry.
                for (index, caller) in callers.enumerated() {
                    for (position, tag) in tags.enumerated() {
                        for _ in 1...2 {
                            let response = try await client.get(target, caller.merging(["If-None-Match": tag]))
                            #expect(response.status == (position == index ? 304 : 200), "\(target)")
                        }
                    }
                }
            }
        }
    }

    @Test("A caller does not receive a 304 for the tag of another caller's rows, and its own 304 needs no statement")
    func validators() async throws {
        try await withServer(.sqlite, access: try RoleServer.access()) { server async throws in
            let (first, second) = (RoleServer.employee(20001), RoleServer.employee(20002))
            for target in ["/employees", "/graphql?query=%7Bemployees%7Bnodes%7BlastName%7D%7D%7D"] {
                let tag = try #require(try await server.client.get(target, first)["ETag"])
                for _ in 1...2 {
                    #expect(
                        try await server.client.get(target, first.merging(["If-None-Match": tag])).status == 304)
                }
                _ = server.statements.take()
                #expect(try await server.client.get(target, first.merging(["If-None-Match": tag])).status == 304)
                #expect(server.statements.take().isEmpty)
                for _ in 1...2 {
                    let other = try await server.client.get(target, second.merging(["If-None-Match": tag]))
                    #expect(other.status == 200 && other.text.contains("Brien") && !other.text.contains("O'Brien"))
                }
            }
        }
    }

    @Test("Two claims whose texts joined are equal are two callers")
    func adjoiningClaims() async throws {
        let role = Role(
            "pair",
            reads: [
                "departments": .init(),
                "employees": .init(
                    where: .any([
                        .compare("employeeNumber", .equal, [.parameter("a")]),
                        .compare("employeeNumber", .equal, [.parameter("b")]),
                    ])),
            ])
        let access = try RoleServer.access(roles: [role, RoleServer.visitor])
        try await RoleServer.with(.sqlite, access) { client async throws in
            var tags: Set<String?> = []
            for (a, b) in [(1, 23), (12, 3)] as [(Int64, Int64)] {
                let caller = RoleServer.headers(["role": "pair", "a": .integer(a), "b": .integer(b)])
                tags.insert(try await client.get("/departments", caller)["ETag"])
            }
            #expect(tags.count == 2)
        }
    }

    @Test("Another permission of a role with the same name changes its entity tags")
    func policies() async throws {
        let roles = [Role.Read(), Role.Read(where: .not(.isNull("departmentName", true)))].map { read in
            Role("visitor", reads: ["departments": read])
        }
        let answers = Mutex<[TestResponse]>([])
        for role in roles + roles {
            try await RoleServer.with(.sqlite, try RoleServer.access(roles: [role])) { client async throws in
                let response = try await client.get("/departments")
                answers.withLock { $0.append(response) }
            }
        }
        let all = answers.withLock { $0 }
        #expect(Set(all.map(\.text)).count == 1)
        #expect(all[0]["ETag"] != all[1]["ETag"])
        // The tags of two servers with the same roles are equal.
        #expect(all[0]["ETag"] == all[2]["ETag"] && all[1]["ETag"] == all[3]["ETag"])
    }
}
