import AsyncHTTPClient
import DuetJSON
import Foundation
import NIOHTTP1
import ProcessTesting
import Testing

extension ProgramTests {
    /// Tests of Varnish and nginx in front of `duet serve`.
    @Suite("Caches in front of the server")
    struct CachingTests {
        typealias Product = CachingProxy.Product

        /// Runs a server with a sample, and a cache in front of the server.
        private func with(
            _ product: Product, serve arguments: [String] = ["--max-age", "600"], employees: Int = 20,
            _ body: (Server, CachingProxy, URL) async throws -> Void
        ) async throws {
            try await SampleDatabase.with(employees: employees) { folder, url in
                try await Server.with(["--database", url] + Server.logsRequests + arguments, in: folder) { server in
                    try await CachingProxy.with(product, before: server, in: folder) {
                        try await body(server, $0, folder)
                    }
                }
            }
        }

        private static let query = "/graphql?query=%7Bemployee(id:10004)%7BlastName%20titles%7Btitle%7D%7D%7D"

        // MARK: Start

        @Test(
            "Varnish runs with caching/varnish and leaves no processes",
            .enabled(if: Product.varnish.executable != nil, "needs varnishd, of Debian's package varnish"))
        func varnishStarts() async throws {
            try await starts(.varnish)
        }

        @Test(
            "nginx runs with caching/nginx and leaves no processes",
            .enabled(if: Product.nginx.executable != nil, "needs nginx, of Debian's package nginx"))
        func nginxStarts() async throws {
            try await starts(.nginx)
        }

        private func starts(_ product: Product) async throws {
            var used: URL?
            try await with(product) { _, cache, folder in
                used = folder
                let ready = try await cache.get("/health/ready")
                #expect(ready.status == 200)
                #expect(try CommandLines.naming(folder).count > 1)
            }
            let folder = try #require(used)
            #expect(try CommandLines.naming(folder) == [])
        }

        // MARK: Stored responses

        @Test(
            "The cache serves the second request for a resource without the server, over REST and GraphQL",
            arguments: Product.installed)
        func hits(product: Product) async throws {
            let targets = [
                "/employees/10004?details=titles&details=salaries", "/employees?first=5", "/employees/10004/titles",
                "/departments", "/departments/d005", "/titles?first=3", "/salaries?first=3", Self.query,
            ]
            try await with(product) { server, cache, _ in
                for target in targets {
                    let direct = try await server.get(target)
                    let first = try await cache.get(target)
                    let second = try await cache.get(target)
                    #expect(first.cache == "MISS" && second.cache == "HIT", "\(target)")
                    #expect(second.status == 200 && second.body == direct.body, "\(target)")
                    for field in ["ETag", "Content-Type", "Cache-Control", "Vary"] {
                        #expect(second.headers.first(name: field) == direct.headers.first(name: field), "\(target)")
                    }
                    // A cached response omits these fields, because they belong to another request.
                    #expect(!second.headers.contains(name: "X-Request-ID"))
                    #expect(!second.headers.contains(name: "Server-Timing"))
                    // The server receives the direct request and the cache miss, and no other request.
                    #expect(try await server.requests(of: target) == [200, 200], "\(target)")
                }
            }
        }

        @Test("After a GET request, a HEAD request is a cache hit, and vice versa", arguments: Product.installed)
        func head(product: Product) async throws {
            try await with(product) { server, cache, _ in
                for (first, second) in [("GET", "HEAD"), ("HEAD", "GET")] {
                    let target = "/employees?first=\(first.utf8.count)"
                    let direct = try await server.get(target)
                    #expect(try await cache.send(first, target).cache == "MISS")
                    let answer = try await cache.send(second, target)
                    #expect(answer.cache == "HIT")
                    #expect(answer.body == (second == "GET" ? direct.body : ""))
                    #expect(answer.headers.first(name: "Content-Length") == String(direct.body.utf8.count))
                    #expect(answer.headers.first(name: "ETag") == direct.headers.first(name: "ETag"))
                }
            }
        }

        @Test("A client with the current entity tag receives a 304 from the cache", arguments: Product.installed)
        func notModified(product: Product) async throws {
            try await with(product) { server, cache, _ in
                for target in ["/employees/10004", Self.query] {
                    let tag = try #require(try await cache.get(target).headers.first(name: "ETag"))
                    let current = try await cache.get(target, ["If-None-Match": tag])
                    #expect(current.status == 304 && current.body.isEmpty && current.cache == "HIT")
                    #expect(current.headers.first(name: "ETag") == tag)
                    let other = try await cache.get(target, ["If-None-Match": "\"another\""])
                    #expect(other.status == 200 && other.cache == "HIT")
                    #expect(try await server.requests(of: target) == [200])
                }
            }
        }

        @Test(
            "The cache revalidates a stale response: a 304 makes it fresh again, and a changed response replaces it",
            arguments: Product.installed)
        func revalidation(product: Product) async throws {
            try await with(product, serve: ["--max-age", "1"]) { server, cache, _ in
                let target = "/employees/10004"
                let first = try await cache.get(target)
                let stale = try await cache.get(target) { $0.cache != "HIT" }
                #expect(stale.status == 200 && stale.cache == "REVALIDATED" && stale.body == first.body)
                #expect(try await server.requests(of: target) == [200, 304])
                #expect(try await server.send("PATCH", target, body: #"{"lastName":"Adebayo"}"#).status == 200)
                let changed = try await cache.get(target) { $0.cache != "HIT" && $0.cache != "REVALIDATED" }
                #expect(changed.body.contains("Adebayo"))
                #expect(changed.headers.first(name: "ETag") != first.headers.first(name: "ETag"))
            }
        }

        @Test("With --max-age 0, the cache forwards each request to the server", arguments: Product.installed)
        func withoutMaxAge(product: Product) async throws {
            try await with(product, serve: ["--max-age", "0"]) { server, cache, _ in
                for target in ["/employees/10004", Self.query] {
                    for _ in 0..<3 {
                        let answer = try await cache.get(target)
                        #expect(answer.status == 200 && answer.cache != "HIT")
                    }
                    #expect(try await server.requests(of: target) == [200, 200, 200])
                }
            }
        }

        @Test("The cache forwards errors from the server, and never stores them", arguments: Product.installed)
        func errors(product: Product) async throws {
            let targets = [
                "/employees/1", "/employees/10004?details=what", "/employees/10004/nothing", "/departments/d999",
                "/graphql?query=%7Bnothing%7D", "/graphql?query=%7B", "/graphql?query=mutation%7Bx%7D",
            ]
            try await with(product) { server, cache, _ in
                for target in targets {
                    let direct = try await server.get(target)
                    var identifiers: Set<String> = []
                    for _ in 0..<3 {
                        let answer = try await cache.get(target)
                        #expect(answer.status == direct.status && answer.cache != "HIT", "\(target)")
                        #expect(
                            answer.headers.first(name: "Content-Type") == direct.headers.first(name: "Content-Type"))
                        identifiers.insert(try #require(answer.headers.first(name: "X-Request-ID")))
                    }
                    #expect(identifiers.count == 3, "each response is from the server")
                }
            }
        }

        // MARK: Forwarded requests

        @Test("The cache forwards writes, and the server executes them", arguments: Product.installed)
        func writes(product: Product) async throws {
            try await with(product) { server, cache, _ in
                let made = try await cache.send(
                    "POST", "/employees",
                    body: """
                        {"firstName":"Ada","lastName":"Okonkwo","birthDate":"1970-03-01","gender":"F","hireDate":"2001-09-17"}
                        """)
                #expect(made.status == 201 && made.cache == "PASS")
                let location = try #require(made.headers.first(name: "Location"))
                let read = try await cache.get(location)
                #expect(read.body.contains("Okonkwo"))
                let tag = try #require(read.headers.first(name: "ETag"))
                let refused = try await cache.send(
                    "PATCH", location, ["If-Match": "\"another\""], body: #"{"lastName":"Adebayo"}"#)
                #expect(refused.status == 412)
                let changed = try await cache.send(
                    "PATCH", location, ["If-Match": tag], body: #"{"lastName":"Adebayo"}"#)
                #expect(changed.status == 200 && changed.cache == "PASS")
                #expect(try await server.get(location).body.contains("Adebayo"))
                let put = try await cache.send(
                    "PUT", "\(location)/departments/d005", body: #"{"fromDate":"2001-09-17"}"#)
                #expect(put.status == 201 || put.status == 200)
                #expect(try await cache.send("DELETE", location).status == 204)
                #expect(try await server.get(location).status == 404)
            }
        }

        @Test(
            "The cache forwards each GraphQL POST request, and returns the errors of a mutation",
            arguments: Product.installed)
        func mutations(product: Product) async throws {
            let body = """
                {"query":"mutation($input: AddTitleInput!) { addTitle(input: $input) { errors { message } } }",
                "variables":{"input":{"employeeId":10004,"title":"Astronomer","fromDate":"2001-09-17"}}}
                """
            try await with(product) { server, cache, _ in
                let added = try await cache.send("POST", "/graphql", body: body)
                #expect(added.status == 200 && added.cache == "PASS")
                #expect(try added.json["data"]?["addTitle"]?["errors"] == .array([]), "\(added.body)")
                #expect(try await server.get("/employees/10004/titles").body.contains("Astronomer"))
                let again = try await cache.send("POST", "/graphql", body: body)
                #expect(try again.json["data"]?["addTitle"]?["errors"] != .array([]), "\(again.body)")
                for _ in 0..<2 {
                    let read = try await cache.send("POST", "/graphql", body: #"{"query":"{ __typename }"}"#)
                    #expect(read.status == 200 && read.cache == "PASS")
                }
                #expect(try await server.requests(of: "/graphql").count == 4)
            }
        }

        @Test("Uncacheable methods and paths are forwarded to the server", arguments: Product.installed)
        func others(product: Product) async throws {
            try await with(product) { server, cache, _ in
                for (method, target) in [("PUT", "/employees"), ("OPTIONS", "/employees"), ("GET", "/nowhere")] {
                    let direct = try await server.send(method, target)
                    let answer = try await cache.send(method, target)
                    #expect(answer.status == direct.status && answer.cache == "PASS")
                    #expect(answer.headers.first(name: "Allow") == direct.headers.first(name: "Allow"))
                }
            }
        }

        @Test("A response to a request with credentials is not served to other clients", arguments: Product.installed)
        func authorization(product: Product) async throws {
            try await with(product) { server, cache, _ in
                let credentials = ["Authorization": "Basic ZHVldDpkdWV0"]
                for headers in [credentials, credentials, [:], credentials] {
                    let answer = try await cache.get("/titles?first=2", headers)
                    #expect(answer.cache != "HIT")
                }
                #expect(try await cache.get("/titles?first=2").cache == "HIT")
                #expect(try await server.requests(of: "/titles?first=2").count == 4)
            }
        }

        @Test("The read of a client that has written passes the cache", arguments: Product.installed)
        func position(product: Product) async throws {
            try await with(product) { server, cache, _ in
                let position = ["Duet-Database-Position": "0-1-5.x"]
                _ = try await cache.get("/titles?first=2")
                for headers in [position, position] {
                    #expect(try await cache.get("/titles?first=2", headers).cache != "HIT")
                }
                #expect(try await cache.get("/titles?first=2").cache == "HIT")
                #expect(try await server.requests(of: "/titles?first=2").count == 3)
            }
        }

        // MARK: Content codings

        @Test(
            "The cache stores gzip and identity responses separately, and returns the exact bytes of the server",
            arguments: Product.installed)
        func codings(product: Product) async throws {
            let script = """
                get() { curl --dump-header "$1.head" --output "$1" --header "Accept-Encoding: $2" "$3"; }
                target='/employees?first=20&details=titles&details=salaries'
                get direct-plain identity "$SERVER$target"
                get direct-gzip gzip "$SERVER$target"
                cmp direct-plain <(gunzip <direct-gzip)
                for round in MISS HIT HIT; do
                    for coding in gzip identity 'gzip;q=0, *;q=0.1' 'br, gzip'; do
                        get answer "$coding" "$CACHE$target"
                        case $coding in
                            *gzip) cmp answer direct-gzip; direct=direct-gzip ;;
                            *) cmp answer direct-plain; direct=direct-plain ;;
                        esac
                        for field in ETag Content-Encoding Content-Length; do
                            diff <(grep -i "^$field:" answer.head) <(grep -i "^$field:" "$direct.head")
                        done
                        test $round = MISS || grep "^X-Cache: $round" answer.head >/dev/null
                    done
                done
                """
            try await with(product) { server, cache, folder in
                let result = try await Program.shell(
                    script, in: folder, environment: ["SERVER": server.base, "CACHE": cache.base])
                #expect(result.status == 0, "\(result.output)\(result.errors)")
            }
        }

        @Test(
            "A client that refuses identity receives gzip or a 406, and other clients still receive identity",
            arguments: Product.installed)
        func refusedCodings(product: Product) async throws {
            try await with(product) { _, cache, _ in
                let field = "Accept-Encoding"
                for target in ["/departments", "/employees?first=20&details=titles", "/problems"] {
                    for _ in 0..<2 {
                        for only in ["gzip, identity;q=0", "*;q=0, gzip;q=0.5"] {
                            let compressed = try await cache.get(target, [field: only])
                            #expect(compressed.status == 200, "\(target)")
                            #expect(compressed.headers.first(name: "Content-Encoding") == "gzip", "\(target)")
                        }
                        for none in ["identity;q=0", "*;q=0", "gzip;q=0, identity; q=0.000"] {
                            #expect(try await cache.get(target, [field: none]).status == 406, "\(target)")
                        }
                        let plain = try await cache.get(target, [field: "identity"])
                        #expect(plain.status == 200 && plain.headers.first(name: "Content-Encoding") == nil)
                    }
                }
            }
        }

        @Test("All spellings of a path lead to one stored response", arguments: Product.installed)
        func spellings(product: Product) async throws {
            try await with(product) { server, cache, _ in
                let first = try await cache.get("/employees/10004")
                // The client follows redirects.
                for target in ["/employees/010004", "//employees/10004", "/employees/10004/", "/%65mployees/1000%34"] {
                    let answer = try await cache.get(target)
                    #expect(answer.status == 200 && answer.cache == "HIT" && answer.body == first.body, "\(target)")
                }
                #expect(try await server.requests(of: "/employees/10004") == [200])
            }
        }

        @Test("Forwarded responses are compressed for clients that accept gzip", arguments: Product.installed)
        func passedCodings(product: Product) async throws {
            let script = """
                post() {
                    curl --dump-header "$1.head" --output "$1" --header "Accept-Encoding: $2" --json \
                        '{"query":"{ employees(first: 20) { nodes { lastName firstName titles { title } } } }"}' "$3/graphql"
                }
                post plain identity "$SERVER"
                for coding in gzip identity; do
                    post answer $coding "$CACHE"
                    export="$(curl --header "Accept-Encoding: $coding" --header 'Accept: text/csv' --write-out '%header{content-encoding}' --output csv "$CACHE/titles")"
                    case $coding in
                        gzip) cmp plain <(gunzip <answer); grep -i '^Content-Encoding: gzip' answer.head; test "$export" = gzip ;;
                        *) cmp plain answer; test -z "$export" ;;
                    esac
                done
                """
            try await with(product) { server, cache, folder in
                let result = try await Program.shell(
                    script, in: folder, environment: ["SERVER": server.base, "CACHE": cache.base])
                #expect(result.status == 0, "\(result.output)\(result.errors)")
            }
        }

        @Test("The cache stores responses for request targets of 8,000 and 24,000 bytes", arguments: Product.installed)
        func longTargets(product: Product) async throws {
            try await with(product) { server, cache, _ in
                for length in [8_000, 24_000] {
                    let start = "/graphql?query=%7Bdepartments%7Bid%7D"
                    // Commas are ignored tokens in GraphQL.
                    let target = start + String(repeating: ",", count: length - start.utf8.count - 3) + "%7D"
                    #expect(target.utf8.count == length)
                    let first = try await cache.get(target)
                    #expect(first.status == 200 && first.cache == "MISS")
                    let second = try await cache.get(target)
                    #expect(second.status == 200 && second.cache == "HIT" && second.body == first.body)
                }
            }
        }

        @Test("An export of a whole table is streamed and not stored", arguments: Product.installed)
        func export(product: Product) async throws {
            try await with(product, employees: 1_500) { server, cache, _ in
                let accepts = ["application/x-ndjson", "text/*", "application/json;q=0, */*"]
                for accept in accepts {
                    let headers = ["Accept": accept]
                    let direct = try await server.get("/salaries", headers)
                    #expect(direct.body.utf8.count > 500_000, "\(accept)")
                    for _ in 0..<2 {
                        let answer = try await cache.get("/salaries", headers)
                        #expect(answer.body == direct.body && answer.cache != "HIT", "\(accept)")
                        // Varnish pipes the response with a small buffer, and then adds no X-Cache.
                        if product == .varnish { #expect(answer.cache == nil, "\(accept)") }
                    }
                }
                let count = 3 * accepts.count
                #expect(try await server.requests(of: "/salaries", count: count).count == count)
                // If Accept permits JSON, the response is a page of JSON, which is stored.
                for accept in ["application/json, text/csv", "*/*"] {
                    #expect(try await cache.get("/titles", ["Accept": accept]).cache == "MISS")
                    #expect(try await cache.get("/titles", ["Accept": accept]).cache == "HIT")
                }
            }
        }

        @Test("The metrics of the server are not available through the cache", arguments: Product.installed)
        func metrics(product: Product) async throws {
            try await with(product) { server, cache, _ in
                #expect(try await server.get("/metrics").status == 200)
                for target in ["/metrics", "/metrics?x=1", "//metrics", "/metrics/", "/%6Detrics", "/./metrics"] {
                    let refused = try await cache.get(target)
                    #expect(refused.status == 404 && !refused.body.contains("duet_"), "\(target)")
                    #expect(try refused.json["status"] == .integer(404))
                }
            }
        }

        @Test(
            "If the server ends during an export, the client of the cache receives an error",
            arguments: Product.installed)
        func brokenExport(product: Product) async throws {
            try await with(product, employees: 20_000) { server, cache, _ in
                let export = try await cache.stream("GET", "/salaries", ["Accept": "application/x-ndjson"])
                var pieces = export.body.makeAsyncIterator()
                _ = try await pieces.next()
                server.program.send(SIGKILL)
                _ = await server.program.result()
                await #expect(throws: (any Error).self) {
                    while try await pieces.next() != nil {}
                }
            }
        }

        @Test(
            "If the server is down, the cache serves fresh responses, and returns a 503 for other requests",
            arguments: Product.installed)
        func unavailable(product: Product) async throws {
            try await with(product) { server, cache, _ in
                let kept = try await cache.get("/employees/10004")
                server.program.send(SIGKILL)
                _ = await server.program.result()
                let hit = try await cache.get("/employees/10004")
                #expect(hit.cache == "HIT" && hit.body == kept.body)
                for path in ["/employees/10005", "/openapi.json"] {
                    let problem = try await cache.get(path)
                    #expect(problem.status == 503 && problem.headers.first(name: "Cache-Control") == "no-store")
                    #expect(problem.headers.first(name: "Content-Type") == "application/problem+json")
                    #expect(try problem.json["status"] == .integer(503), "\(problem.body)")
                }
            }
        }
    }
}
