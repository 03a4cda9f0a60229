import DuetGraphQLHTTP
import DuetServer
import NIOHTTP1
import TestSupport
import Testing

@Suite("Header fields") struct HeaderTests {
    @Test(
        "An entity tag is strong, differs for each body, and does not change between requests for the same body",
        arguments: TestBackend.available)
    func entityTags(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            var tags: Set<String> = []
            let targets = [
                "/employees/20001", "/employees/20001?details=titles", "/employees/20001?fields=gender",
                "/employees?first=2",
                "/departments", "/departments/d005", "/employees/20001/titles", "/", "/problems", "/openapi.yaml",
                "/openapi.json",
            ]
            for target in targets {
                let tag = try #require(try await server.client.get(target)["ETag"])
                #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 2)
                #expect(try await server.client.get(target)["ETag"] == tag)
                tags.insert(tag)
            }
            #expect(tags.count == targets.count)
            let before = try await server.client.get("/employees/20001")["ETag"]
            let patch = #"{"lastName":"Changed"}"#
            #expect(try await server.client.send(.PATCH, "/employees/20001", json: patch).status == 200)
            #expect(try await server.client.get("/employees/20001")["ETag"] != before)
        }
    }

    @Test("A request with a matching If-None-Match is a 304 without a body", arguments: TestBackend.available)
    func notModified(backend: TestBackend) async throws {
        try await withServer(backend, data: .sample(60)) { server in
            let target = "/employees?first=50&details=salaries"
            let plain = try await server.client.get(target)
            let compressed = try await server.client.get(target, ["Accept-Encoding": "gzip"])
            let tag = try #require(plain["ETag"])
            let gzipTag = try #require(compressed["ETag"])
            #expect(compressed["Content-Encoding"] == "gzip")
            #expect(tag != gzipTag)
            for (match, isModified) in [
                (tag, false), (gzipTag, false), ("W/\(tag)", false), ("\"other\", \(tag)", false), ("*", false),
                ("\"other\"", true), (String(tag.dropFirst().dropLast()), true), ("", true),
            ] {
                for encoding in ["identity", "gzip"] {
                    let headers: HTTPHeaders = ["If-None-Match": match, "Accept-Encoding": encoding]
                    for method in [HTTPMethod.GET, .HEAD] {
                        let response = try await server.client.send(method, target, headers)
                        #expect(response.status == (isModified ? 200 : 304), "\(match)")
                        guard !isModified else { continue }
                        // A 304 has the header fields of the 200 (RFC 9110 §15.4.5).
                        #expect(response["ETag"] == (encoding == "gzip" ? gzipTag : tag))
                        #expect(response["Cache-Control"] == "max-age=60, public")
                        #expect(response["Vary"] == "Accept, Accept-Encoding")
                        #expect(response.next != nil)
                        #expect(response["Content-Type"] == nil)
                        #expect(response.isEmpty)
                    }
                }
            }
            #expect(try await server.client.get(target, ["If-Match": "\"other\""]).status == 412)
            #expect(try await server.client.get(target, ["If-Match": tag]).status == 200)
            // A resource that does not exist matches no tag.
            #expect(try await server.client.get("/employees/99", ["If-None-Match": "*"]).status == 404)
        }
    }

    @Test("Every response has Cache-Control")
    func cacheControl() async throws {
        try await withServer(.sqlite) { server async throws in
            for (target, accept, value) in [
                ("/employees", "*/*", "max-age=60, public"), ("/employees/20001", "*/*", "max-age=60, public"),
                ("/departments", "*/*", "max-age=300, public"),
                ("/departments?details=managers", "*/*", "max-age=60, public"),
                ("/", "*/*", "public, no-cache"), ("/employees", "text/csv", "no-store"),
                ("/nothing", "*/*", "no-store"),
                ("/employees/0", "*/*", "no-store"), ("/health/live", "*/*", "no-store"),
                ("/health/ready", "*/*", "no-store"), ("/metrics", "*/*", "no-store"),
                ("/problems", "*/*", "max-age=300, public"), ("/openapi.yaml", "*/*", "max-age=300, public"),
            ] {
                #expect(try await server.client.get(target, ["Accept": accept])["Cache-Control"] == value, "\(target)")
            }
        }
        for (shared, value) in [
            (nil, "public, no-cache"), (0, "public, no-cache"), (60, "max-age=0, public, s-maxage=60"),
        ] {
            var settings = ServerSettings()
            settings.caching.maximumAge = 0
            settings.caching.sharedMaximumAge = shared
            try await withServer(.sqlite, settings: settings) { server async throws in
                #expect(try await server.client.get("/employees")["Cache-Control"] == value)
            }
        }
        var settings = ServerSettings()
        settings.caching.maximumAge = 90
        settings.caching.sharedMaximumAge = 600
        settings.caching.staleWhileRevalidate = 30
        try await withServer(.sqlite, settings: settings) { server async throws in
            for (target, age) in [
                ("/employees", 60), ("/departments", 90), ("/graphql?query=%7Bdepartments%7Bid%7D%7D", 90),
            ] {
                let value = try await server.client.get(target)["Cache-Control"]
                #expect(value == "max-age=\(age), public, s-maxage=600, stale-while-revalidate=30")
            }
            #expect(
                try await server.client.get("/graphql?query=%7B__typename%7D")["Cache-Control"] == "public, no-cache")
            #expect(try await server.client.send(.DELETE, "/employees/20001")["Cache-Control"] == "no-store")
            #expect(try await server.client.get("/employees/20001")["Cache-Control"] == "no-store")
        }
    }

    @Test("A valid X-Request-ID is returned, and a missing or invalid identifier is replaced")
    func requestIdentifier() async throws {
        try await withServer(.sqlite) { server in
            for given in ["a", "5f2c1a9e-4b7d", String(repeating: "x", count: 128), "AZaz09._~:/+=-"] {
                for target in ["/employees", "/nothing", "/health/live"] {
                    let response = try await server.client.get(target, ["X-Request-ID": given])
                    #expect(response["X-Request-ID"] == given)
                    if response.status == 404 { #expect(response.string("requestID") == given) }
                }
            }
            var made: Set<String> = []
            let unfit = Array("!\"#$%&'()*,;<>?@[\\]^`{|}").map { "a\($0)b" }
            for given in unfit + ["", "two words", "a\tb", String(repeating: "x", count: 129), "é", nil] {
                let headers: HTTPHeaders = given.map { ["X-Request-ID": $0] } ?? [:]
                let name = try #require(try await server.client.get("/health/live", headers)["X-Request-ID"])
                #expect(name.count == 16 && name.allSatisfy(\.isHexDigit))
                made.insert(name)
            }
            #expect(made.count == unfit.count + 6)
            let two: HTTPHeaders = ["X-Request-ID": "a", "x-request-id": "b"]
            #expect(try await server.client.get("/health/live", two)["X-Request-ID"]?.count == 16)
        }
    }

    @Test("Server-Timing has each stage and the number of statements", arguments: TestBackend.available)
    func serverTiming(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (target, statements) in [
                ("/employees/20001", 1), ("/employees/20001?details=titles,salaries,departments", 4),
                ("/employees", 1), ("/employees?details=titles,salaries", 3), ("/employees/20001/titles", 2),
                ("/departments/d005/employees?details=titles", 3), ("/departments?details=managers", 2),
            ] {
                let timing = try #require(try await server.client.get(target)["Server-Timing"])
                let stages = timing.split(separator: ", ").map { String($0.prefix { $0 != ";" }) }
                #expect(stages == ["parse", "plan", "sql", "encode"])
                #expect(timing.contains(";desc=\"\(statements)\""), "\(target): \(timing)")
                #expect(timing.wholeMatch(of: /(\w+;dur=\d+\.\d{3}(;desc="\d+")?(, )?)+/) != nil)
            }
        }
    }

    @Test("Server-Timing of a write counts its statements", arguments: TestBackend.available)
    func writeTiming(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let person =
                #"{"employeeNumber":7,"firstName":"A","lastName":"B","birthDate":"1960-01-01","gender":"F","#
                + #""hireDate":"1990-01-01"}"#
            for (method, target, body) in [
                (HTTPMethod.POST, "/employees", person), (.PATCH, "/employees/7", #"{"lastName":"C"}"#),
                (.POST, "/employees/7/titles", #"{"title":"T","fromDate":"1990-01-01"}"#),
                (.PUT, "/employees/7/departments/d005", #"{"fromDate":"1990-01-01"}"#), (.DELETE, "/employees/7", nil),
            ] as [(HTTPMethod, String, String?)] {
                _ = server.statements.take()
                let response =
                    if let body {
                        try await server.client.send(method, target, json: body)
                    } else {
                        try await server.client.send(method, target)
                    }
                #expect((200...204).contains(response.status), "\(response.text)")
                let statements = server.statements.take().count
                #expect(statements > 1)
                let timing = try #require(response["Server-Timing"])
                #expect(timing.contains("sql;dur="))
                #expect(timing.contains(";desc=\"\(statements)\""), "\(method) \(target): \(timing)")
            }
        }
    }

    @Test("A target that is too long is a 414, and a body that is too long is a 413")
    func tooLong() async throws {
        var settings = ServerSettings()
        settings.maximumTargetSize = 8_000
        settings.maximumBodySize = 1_024
        try await withServer(.sqlite, settings: settings) { server in
            let path = "/employees?name="
            for (length, status) in [(8_000, 400), (8_001, 414), (12_000, 414)] {
                let target = path + String(repeating: "a", count: length - path.utf8.count)
                let response = try await server.client.get(target)
                #expect(response.status == status, "\(length)")
                #expect(response["Cache-Control"] == "no-store")
            }
            let start = #"{"salary":1,"fromDate":"2000-01-01""#
            for (length, status) in [(1_024, 201), (1_025, 413), (100_000, 413)] {
                let body = start + String(repeating: " ", count: length - start.utf8.count - 1) + "}"
                let whole = try await server.client.send(.POST, "/employees/20012/salaries", json: body)
                #expect(whole.status == status, "\(length)")
                if status == 413 { #expect(whole.code == "content-too-large") }
            }
            // A chunked body has no declared length.
            let chunks = String(repeating: "400\r\n\(String(repeating: " ", count: 1_024))\r\n", count: 3)
            let answer = try await server.client.exchange(
                "POST /employees HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
                    + "Connection: close\r\n\r\n\(chunks)0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
        }
    }
}
