import NIOHTTP1
import TestSupport
import Testing

@Suite("Security header fields") struct SecurityFieldTests {
    @Test("Every response has exactly one X-Content-Type-Options")
    func noSniffing() async throws {
        try await withServer(.sqlite) { server in
            for (method, path) in try server.operations() where method != "DELETE" {
                for method in [HTTPMethod(rawValue: method), .HEAD, .OPTIONS, .TRACE] {
                    let response = try await server.client.send(method, path)
                    #expect(response.headers["X-Content-Type-Options"] == ["nosniff"], "\(method) \(path)")
                }
            }
            let tag = try #require(try await server.client.get("/employees/20001")["ETag"])
            let parts = "{ employee(id: 20001) { lastName ... @defer { titles { title } } } }"
            let salary = #"{"salary":1,"fromDate":"2001-01-01"}"#
            for (response, status) in [
                (try await server.client.get("/employees/20001", ["If-None-Match": tag]), 304),
                (try await server.client.get("/employees/20001", ["If-None-Match": tag]), 304),
                (try await server.client.get("/employees", ["Accept": "text/csv"]), 200),
                (
                    try await server.client.get(
                        "/employees", ["Accept": "application/x-ndjson", "Accept-Encoding": "gzip"]), 200
                ),
                (try await server.client.graphQL(parts, nil, ["Accept": "multipart/mixed"]), 200),
                (try await server.client.send(.POST, "/employees/20012/salaries", json: salary), 201),
                (try await server.client.send(.DELETE, "/employees/20012"), 204),
                (try await server.client.get("/employees/"), 308), (try await server.client.get("/nothing"), 404),
                (try await server.client.get("/employees", ["Accept": "image/png"]), 406),
                (try await server.client.get("/employees/20001", ["If-Match": "\"x\""]), 412),
                (try await server.client.get("/?q=" + String(repeating: "x", count: 40_000)), 414),
                (try await server.client.get("/", ["X": String(repeating: "x", count: 70_000)]), 431),
                (try await server.client.send(.RAW(value: "BREW"), "/employees"), 501),
            ] {
                #expect(response.status == status)
                #expect(response.headers["X-Content-Type-Options"] == ["nosniff"], "\(status)")
            }
            for request in ["nonsense\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n"] {
                let answer = try await server.client.exchange(request)
                #expect(answer.hasPrefix("HTTP/1.1 400 "))
                #expect(answer.split(separator: "\r\n").count { $0 == "X-Content-Type-Options: nosniff" } == 1)
            }
        }
    }

    @Test("Every page forbids frames and contains no inline script or style")
    func pages() async throws {
        try await withServer(.sqlite) { server in
            var titles: Set<Substring> = []
            for (method, path) in try server.operations() where method == "GET" {
                for target in [path, path + "?api"] {
                    for accept in ["text/html", "*/*"] {
                        let page = try await server.client.get(target, ["Accept": accept])
                        guard page["Content-Type"]?.hasPrefix("text/html") == true else { continue }
                        titles.insert(try #require(page.text.firstMatch(of: /<title>(.*)<\/title>/)?.1))
                        #expect(page.headers["Content-Security-Policy"].count == 1)
                        let directives = (page["Content-Security-Policy"] ?? "").split(separator: "; ")
                        #expect(directives.contains("default-src 'none'") && directives.contains("base-uri 'none'"))
                        #expect(directives.contains("frame-ancestors 'none'"), "\(target)")
                        #expect(!directives.contains { $0.contains("unsafe-") }, "\(target)")
                        #expect(!page.text.contains("<style") && !page.text.contains(" style="), "\(target)")
                        #expect(page.text.matches(of: /<script(?![^>]* src=)/).isEmpty, "\(target)")
                        #expect(page.text.matches(of: /\ on[a-z]+=/).isEmpty, "\(target)")
                        // The files that the page refers to exist.
                        for match in page.text.matches(of: /<(?:link|script)[^>]* (?:href|src)="(\/[^"]*)"/) {
                            #expect(try await server.client.get(String(match.1)).status == 200, "\(match.1)")
                        }
                    }
                }
            }
            #expect(titles.count == 3)
        }
    }
}
