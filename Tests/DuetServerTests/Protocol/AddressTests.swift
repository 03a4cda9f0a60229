import NIOHTTP1
import TestSupport
import Testing

@Suite("Canonical paths") struct AddressTests {
    /// Sends a target unchanged. Returns the status of the response and its `Location`.
    private static func ask(
        _ server: TestServer, _ target: String, method: String = "GET"
    ) async throws -> (status: String, location: String?) {
        let answer = try await server.client.exchange(method, target)
        let lines = answer.split(separator: "\r\n")
        let location = lines.first { $0.hasPrefix("Location: ") }?.dropFirst("Location: ".count)
        return (String(lines.first?.dropFirst("HTTP/1.1 ".count).prefix(3) ?? ""), location.map(String.init))
    }

    @Test("A path that is not canonical is redirected to the canonical path with the same query")
    func spellings() async throws {
        try await withServer(.sqlite) { server in
            for (path, canonical) in [
                ("//employees/20001", "/employees/20001"), ("/employees//20001", "/employees/20001"),
                ("/employees/20001/", "/employees/20001"), ("///employees///20001///", "/employees/20001"),
                ("/employees/020001", "/employees/20001"), ("/employees/0000000000000020001", "/employees/20001"),
                ("/e%6D%70loyees/20001", "/employees/20001"), ("/employees/2%300%301", "/employees/20001"),
                ("/employees/%3020001", "/employees/20001"), ("/employees/020001/titles/", "/employees/20001/titles"),
                ("/employees/020001/departments/d005", "/employees/20001/departments/d005"),
                ("/departments/%645", "/departments/d5"), ("/problems/unknown%2dpath", "/problems/unknown-path"),
                ("/debug/requests/a%2fb/statements", "/debug/requests/a%2Fb/statements"),
                ("/debug/requests/%7Ea%2C%2fb/statements", "/debug/requests/~a%2C%2Fb/statements"),
                ("/./employees", "/employees"), ("/employees/.", "/employees"), ("/employees/20001/..", "/employees"),
                ("/../../employees/./x/%2E%2e/20001", "/employees/20001"), ("/%2e/employees", "/employees"),
                ("//evil.example/../employees", "/employees"), ("/%5Cevil.example/..", "/"), ("//", "/"), ("/.", "/"),
                ("/x/..//", "/"), ("/departments/\"/", "/departments/%22"),
            ] {
                for query in ["", "?", "?a=%2F%6d//.&b=%7b", "?details=titles&details=salaries"] {
                    let (status, location) = try await Self.ask(server, path + query)
                    #expect(status == "308" && location == canonical + query, "\(path)\(query)")
                }
                // Characters that a URI must not contain are percent-encoded.
                #expect(try await Self.ask(server, path + "?q={|}").location == canonical + "?q=%7B%7C%7D")
                #expect(try await Self.ask(server, canonical).location == nil, "\(canonical) is redirected")
            }
        }
    }

    @Test("Every route redirects a path that is not canonical, for every method")
    func everyRoute() async throws {
        try await withServer(.sqlite) { server in
            let methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]
            for path in Set(try server.operations().map(\.path)) {
                let spellings = path == "/" ? ["//", "/."] : ["/\(path)", "\(path)/", "/.\(path)", "/x/..\(path)"]
                for (spelling, method) in spellings.flatMap({ spelling in methods.map { (spelling, $0) } }) {
                    let answer = try await Self.ask(server, spelling, method: method)
                    #expect(answer.status == "308" && answer.location == path, "\(method) \(spelling)")
                }
            }
        }
    }

    @Test("A request with a fragment, an unknown path, or an unknown or malformed key is an error, not a redirect")
    func unknown() async throws {
        try await withServer(.sqlite) { server in
            for (target, status) in [
                ("/nothing/", "404"), ("//nothing", "404"), ("//evil.example/employees", "404"),
                ("/\\evil.example/", "404"), ("/employees/20001/nothing/", "404"), ("/employees%2F20001", "404"),
                ("/employees/%", "400"), ("/employees/2%30%2", "400"), ("/departments//d00%2%35", "400"),
                ("/employees/0", "400"), ("/employees/00", "400"), ("/employees/-020001", "400"),
                ("/employees/+20001", "400"), ("/employees/%2B020001", "400"), ("/employees/02147483648", "400"),
                ("/employees/99999999999999999999", "400"), ("/employees/020001a", "400"),
                ("/departments/0005", "404"), ("/employees//20001#a", "400"),
            ] {
                let answer = try await Self.ask(server, target)
                #expect(answer.status == status && answer.location == nil, "\(target)")
            }
        }
    }

    @Test("A redirect to the canonical path has no entity tag and is not cacheable")
    func redirection() async throws {
        try await withServer(.sqlite) { server in
            let tag = try #require(try await server.client.get("/employees/20001")["ETag"])
            for fields: HTTPHeaders in [
                [:], ["If-None-Match": tag], ["Accept": "image/png"], ["Accept-Encoding": "*;q=0"],
            ] {
                let response = try await server.client.get("/employees/020001", fields)
                #expect(response.status == 308 && response.isEmpty)
                #expect(response["Cache-Control"] == "no-store" && response["ETag"] == nil)
                #expect(response["Content-Length"] == "0" && response["Content-Type"] == nil)
            }
            // A GraphQL query is also redirected to the canonical path.
            let query = "?query=%7B__typename%7D"
            #expect(try await server.client.get("/graphql" + query).status == 200)
            #expect(try await server.client.get("/graphql/" + query)["Location"] == "/graphql" + query)
        }
    }

    @Test("A write to a path that is not canonical is redirected and has no effect")
    func writes() async throws {
        try await withServer(.sqlite) { server in
            let body = #"{"lastName":"Changed"}"#
            let write =
                "PATCH /employees/020001 HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            let read = "GET /employees/20001 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let answers = try await server.client.exchange(write + read)
            #expect(answers.hasPrefix("HTTP/1.1 308 "))
            #expect(answers.contains("HTTP/1.1 200 ") && answers.contains("O'Brien") && !answers.contains("Changed"))
            // The body is incomplete, so the response closes the connection.
            let early = try await server.client.exchange(
                "POST /employees/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n{")
            #expect(early.hasPrefix("HTTP/1.1 308 ") && early.contains("\r\nConnection: close\r\n"))
            #expect(early.contains("\r\nLocation: /employees\r\n"))
        }
    }
}
