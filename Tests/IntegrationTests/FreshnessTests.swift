import Foundation
import NIOHTTP1
import ProcessTesting
import Testing

extension ProgramTests {
    /// The behavior of the caches for each `Cache-Control`, including values that Duet does not send.
    @Suite(
        "Freshness of stored responses",
        .enabled(if: CachingProxy.Product.nginx.executable != nil, "needs nginx, of Debian's package nginx"))
    struct FreshnessTests {
        typealias Product = CachingProxy.Product

        private func with(
            _ product: Product, _ locations: String, _ body: (CachingProxy, URL) async throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                try await ScriptedOrigin.with(locations, in: folder) { origin in
                    try await CachingProxy.with(product, before: origin, in: folder) { try await body($0, folder) }
                }
            }
        }

        @Test(
            "A cache stores only 200s for cacheable paths that have a positive max-age or s-maxage and are not private",
            arguments: Product.installed)
        func control(product: Product) async throws {
            let locations = """
                add_header Cache-Control $arg_control always;
                location /titles { return 200 "$answer"; }
                location /salaries { return 404 "$answer"; }
                location /departments { return 500 "$answer"; }
                location /health { return 200 "$answer"; }
                """
            try await with(product, locations) { cache, _ in
                for control in [
                    "max-age=60", "public,max-age=60", "s-maxage=60,max-age=0", "max-age=60,must-revalidate",
                ] {
                    let target = "/titles?control=\(control)"
                    let first = try await cache.get(target)
                    let second = try await cache.get(target)
                    #expect(first.body == second.body && second.cache == "HIT", "\(control)")
                }
                let never = [
                    "", "public", "no-store", "no-cache", "private", "private,max-age=60", "no-store,max-age=60",
                    "max-age=60,no-cache", "private,no-cache,must-revalidate", "max-age=0", "s-maxage=0,max-age=60",
                ]
                let others = ["/salaries", "/departments", "/health"]
                let targets = never.map { "/titles?control=\($0)" } + others.map { "\($0)?control=max-age=60" }
                for target in targets {
                    let first = try await cache.get(target)
                    let second = try await cache.get(target)
                    #expect(!first.body.isEmpty && first.body != second.body && second.cache != "HIT", "\(target)")
                }
            }
        }

        @Test(
            "Uncacheable responses do not prevent the storage of a later cacheable response for the same target",
            arguments: Product.installed)
        func unknownBefore(product: Product) async throws {
            let locations = """
                location /graphql {
                    add_header Cache-Control $control;
                    set $control "private, no-cache, must-revalidate";
                    if (-f registered) { set $control "max-age=600, public"; }
                    return 200 "$control";
                }
                """
            try await with(product, locations) { cache, folder in
                for _ in 0..<3 { #expect(try await cache.get("/graphql?hash").cache != "HIT") }
                try Data().write(to: folder.appending(path: "origin/registered"))
                let first = try await cache.get("/graphql?hash")
                #expect(first.cache == "MISS" || first.cache == "PASS")
                let second = try await cache.get("/graphql?hash")
                #expect(second.cache == "HIT" && second.body == "max-age=600, public")
            }
        }

        @Test(
            "A stale response is served only with stale-while-revalidate, and a new response then replaces it",
            arguments: Product.installed)
        func stale(product: Product) async throws {
            let locations = """
                location /titles { add_header Cache-Control "max-age=1, stale-while-revalidate=600"; return 200 "$answer"; }
                location /salaries { add_header Cache-Control "max-age=1"; return 200 "$answer"; }
                """
            try await with(product, locations) { cache, _ in
                let first = try await cache.get("/titles")
                let stale = try await cache.get("/titles") { $0.cache != "HIT" }
                #expect(stale.body == first.body && (stale.cache == "STALE" || stale.cache == "UPDATING"))
                let next = try await cache.get("/titles") { $0.body != first.body }
                #expect(next.status == 200)

                let other = try await cache.get("/salaries")
                let replaced = try await cache.get("/salaries") { $0.cache != "HIT" }
                #expect(replaced.body != other.body, "\(replaced.cache ?? "")")
            }
        }

        @Test("A response with 16 KB of cache tags in Surrogate-Key is stored", arguments: Product.installed)
        func longFields(product: Product) async throws {
            let locations = """
                location /titles {
                    set $keys "\(String(repeating: "Employee:10004 ", count: 260))";
                    add_header Surrogate-Key "$keys$keys$keys${keys}last";
                    add_header Cache-Control "max-age=600";
                    return 200 "$answer";
                }
                """
            try await with(product, locations) { cache, _ in
                let first = try await cache.get("/titles")
                #expect(first.status == 200 && first.headers.first(name: "Surrogate-Key")?.hasSuffix("last") == true)
                let second = try await cache.get("/titles")
                #expect(second.body == first.body && second.cache == "HIT")
            }
        }

        @Test("Responses are stored separately for each value of the fields in Vary", arguments: Product.installed)
        func vary(product: Product) async throws {
            let locations = """
                location /titles {
                    add_header Cache-Control "max-age=600";
                    add_header Vary "Accept, Accept-Encoding";
                    return 200 "$http_accept";
                }
                """
            try await with(product, locations) { cache, _ in
                for _ in 0..<2 {
                    for accept in ["application/json", "text/plain", "*/*"] {
                        let answer = try await cache.get("/titles?first=1", ["Accept": accept])
                        #expect(answer.body == accept)
                    }
                }
                #expect(try await cache.get("/titles?first=1", ["Accept": "text/plain"]).cache == "HIT")
            }
        }
    }
}
