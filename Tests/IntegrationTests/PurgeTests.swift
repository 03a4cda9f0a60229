import DuetJSON
import Foundation
import NIOHTTP1
import ProcessTesting
import Testing

extension ProgramTests {
    /// Only Varnish supports purging.
    @Suite(
        "Purging",
        .enabled(
            if: CachingProxy.Product.installed.count == 2,
            "needs varnishd and nginx, of Debian's packages varnish and nginx"))
    struct PurgeTests {
        /// Responses with cache tags in `Surrogate-Key`. The response to a write has the cache tags of the changed
        /// rows.
        private static let locations = """
            add_header Cache-Control max-age=600;
            location = /employees/1000 { add_header Surrogate-Key "Employee:1000"; \(common) }
            location = /employees/10004 { add_header Surrogate-Key "Employee:10004 Department:d005"; \(common) }
            location = /employees { add_header Surrogate-Key "Employee:10001 Employee:10004 Employee:10006"; \(common) }
            location = /employees/10004/titles { add_header Surrogate-Key "Employee:10004"; \(common) }
            location = /departments/d005 { add_header Surrogate-Key "Department:d005"; \(common) }
            location = /departments/d00 { add_header Surrogate-Key "Department:d00"; \(common) }
            location = /titles { \(common) }
            location = /graphql { add_header Surrogate-Key "Employee:10004"; \(common) }
            location = /employees/10004/salaries { return 409; }
            location = /graphql/write { add_header Surrogate-Key "Department:d005"; return 200; }
            """
        // nginx inherits the fields of an outer level only if the inner level has none.
        private static let common = """
            add_header Cache-Control max-age=600; return 200 "$answer";
            """
        private static let targets = [
            "/employees/1000", "/employees/10004", "/employees/10004?fields=lastName", "/employees?first=3",
            "/employees/10004/titles", "/departments/d005", "/departments/d00", "/titles", "/graphql?query=1",
        ]

        /// Returns the targets whose responses are no longer in the cache after an action.
        private func forgotten(_ cache: CachingProxy, after body: () async throws -> Void) async throws -> [String] {
            for target in Self.targets { _ = try await cache.get(target) }
            for target in Self.targets { #expect(try await cache.get(target).cache == "HIT", "\(target)") }
            try await body()
            var forgotten: [String] = []
            for target in Self.targets where try await cache.get(target).cache != "HIT" { forgotten.append(target) }
            return forgotten
        }

        private func with(_ body: (CachingProxy) async throws -> Void) async throws {
            try await withFolder { cache, _ in try await body(cache) }
        }

        /// - Parameter body: Receives the cache and the folder of its files.
        private func withFolder(_ body: (CachingProxy, URL) async throws -> Void) async throws {
            try await TemporaryFolder.with { folder in
                try await ScriptedOrigin.with(Self.locations, in: folder) { origin in
                    try await CachingProxy.with(.varnish, before: origin, in: folder) { cache in
                        try await body(cache, folder)
                    }
                }
            }
        }

        @Test("A purge by cache tag removes the responses that have exactly this tag at any position in Surrogate-Key")
        func keys() async throws {
            try await with { cache in
                let cases: [(String, [String])] = [
                    ("Employee:1000", ["/employees/1000"]),
                    (
                        "Employee:10004",
                        [
                            "/employees/10004", "/employees/10004?fields=lastName", "/employees?first=3",
                            "/employees/10004/titles", "/graphql?query=1",
                        ]
                    ),
                    ("Employee:1", []), ("mployee:10004", []), ("Employee.10004", []),
                    ("Department:d00 Employee:10006", ["/employees?first=3", "/departments/d00"]),
                ]
                for (keys, expected) in cases {
                    let forgotten = try await forgotten(cache) {
                        let done = try await cache.send("PURGE", "/", ["Surrogate-Key": keys])
                        #expect(done.status == 200)
                    }
                    #expect(forgotten == expected, "\(keys)")
                }
            }
        }

        @Test("PURGE of a path removes only the responses of the path, for every query and coding")
        func path() async throws {
            try await with { cache in
                // The client requests gzip by default.
                let plain = ["Accept-Encoding": "identity"]
                _ = try await cache.get("/employees/10004", plain)
                let forgotten = try await forgotten(cache) {
                    let done = try await cache.send("PURGE", "/employees/10004")
                    #expect(done.status == 200)
                }
                #expect(forgotten == ["/employees/10004", "/employees/10004?fields=lastName"])
                #expect(try await cache.get("/employees/10004", plain).cache != "HIT")
            }
        }

        @Test("The commands of docs/caching.md remove the responses that the page names")
        func documented() async throws {
            let commands = try DocumentBlock.all(of: "docs/caching.md").filter { $0.language == "sh" }
                .flatMap { $0.text.split(separator: "\n").map(String.init) }
            let byTag = [
                "/employees/10004", "/employees/10004?fields=lastName", "/employees?first=3",
                "/employees/10004/titles", "/departments/d005", "/graphql?query=1",
            ]
            let byPath = ["/employees/10004", "/employees/10004?fields=lastName"]
            try #require(commands.count == 4)
            let container = "docker-compose exec cache varnishadm -n /var/lib/varnish/duet "
            #expect(commands.count { $0.hasPrefix(container) } == 2)
            #expect(try Checkout.text("docker-compose.yml").contains("- -n\n      - /var/lib/varnish/duet\n"))
            try await withFolder { cache, folder in
                for (command, expected) in zip(commands, [byTag, byPath, byTag, Self.targets]) {
                    let script = command.replacing("http://127.0.0.1/", with: "\(cache.base)/")
                        .replacing(container, with: "varnishadm -n \(Varnish.working(in: folder).path) ")
                    let forgotten = try await forgotten(cache) {
                        let result = try await Program.shell(script, in: folder)
                        #expect(result.status == 0, "\(command): \(result.errors)")
                    }
                    #expect(forgotten == expected, "\(command)")
                }
            }
        }

        @Test("A successful write purges responses by the path of the write and by the cache tags of its response")
        func writes() async throws {
            try await with { cache in
                let byPath = try await forgotten(cache) {
                    let done = try await cache.send("PATCH", "/employees/1000?x", body: "{}")
                    #expect(done.status == 200)
                }
                #expect(byPath == ["/employees/1000", "/employees?first=3"])
                let below = try await forgotten(cache) {
                    let done = try await cache.send("POST", "/employees/10004/titles", body: "{}")
                    #expect(done.status == 200)
                }
                #expect(
                    below == [
                        "/employees/10004", "/employees/10004?fields=lastName", "/employees?first=3",
                        "/employees/10004/titles", "/graphql?query=1",
                    ])
                let byKey = try await forgotten(cache) {
                    let done = try await cache.send("POST", "/graphql/write", body: "{}")
                    #expect(done.status == 200)
                }
                #expect(byKey == ["/employees/10004", "/employees/10004?fields=lastName", "/departments/d005"])
                let failed = try await forgotten(cache) {
                    let done = try await cache.send("PATCH", "/employees/10004/salaries", body: "{}")
                    #expect(done.status == 409)
                }
                #expect(failed == [])
            }
        }

        @Test(
            "A thumbnail is purged only by its employee's cache tag and by writes to its employee over REST and GraphQL"
        )
        func thumbnails() async throws {
            let own = "/employees/10004/thumbnail"
            let other = "/employees/10006/thumbnail"
            try await SampleDatabase.with { folder, url in
                try await Server.with(["--database", url, "--max-age", "600"], in: folder) { server in
                    try await CachingProxy.with(.varnish, before: server, in: folder) { cache in
                        for (method, path, headers, body) in [
                            ("PURGE", "/", ["Surrogate-Key": "Employee:10004"], nil),
                            ("PATCH", "/employees/10004", [:], #"{"lastName":"Marchetti"}"#),
                            ("POST", "/graphql", [:], Self.mutation),
                        ] {
                            for target in [own, other] {
                                _ = try await cache.get(target)
                                let kept = try await cache.get(target)
                                #expect(
                                    kept.cache == "HIT" && kept.headers.first(name: "Content-Type") == "image/svg+xml")
                            }
                            let done = try await cache.send(method, path, headers, body: body)
                            #expect(done.status == 200 && !done.body.contains("message"), "\(method): \(done.body)")
                            #expect(try await cache.get(own).cache == "MISS", "\(method)")
                            #expect(try await cache.get(other).cache == "HIT", "\(method)")
                        }
                    }
                }
            }
        }

        /// The path of a mutation does not identify the changed rows. The cache tags of its response do.
        private static let mutation = """
            {"query":"mutation($input: AddTitleInput!) { addTitle(input: $input) { errors { message } } }",
            "variables":{"input":{"employeeId":10004,"title":"Astronomer","fromDate":"2001-09-17"}}}
            """

        @Test("PURGE is rejected for remote clients and for invalid cache tags")
        func refusals() async throws {
            try await with { cache in
                let forgotten = try await forgotten(cache) {
                    for (headers, status) in [
                        (["Surrogate-Key": "Employee:1000", "X-Forwarded-For": "192.0.2.1"], 403),
                        (["Surrogate-Key": ".*|x"], 400), (["Surrogate-Key": "a)(b"], 400),
                    ] {
                        let answer = try await cache.send("PURGE", "/employees/1000", headers)
                        #expect(answer.status == status, "\(headers)")
                        let problem = try answer.json
                        #expect(problem["status"] == .integer(Int64(status)))
                    }
                }
                #expect(forgotten == [])
            }
        }
    }
}
