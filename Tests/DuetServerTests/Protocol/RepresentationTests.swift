import DuetJSON
import NIOHTTP1
import TestSupport
import Testing

@Suite("Representations") struct RepresentationTests {
    private static let json = "application/json"
    private static let lines = "application/x-ndjson"
    private static let csv = "text/csv; charset=utf-8; header=present"

    @Test(
        "Accept determines the representation",
        arguments: [
            (nil, json), ("*/*", json), ("application/json", json), ("application/*", json),
            ("application/x-ndjson", lines), ("text/csv", csv), ("text/*", csv), ("TEXT/CSV", csv),
            ("text/csv, application/json", json), ("text/csv, application/json;q=0.9", csv),
            ("application/json;q=0.1, application/x-ndjson;q=0.2", lines), ("*/*;q=0.1, text/csv;q=0.2", csv),
            ("application/json;q=0, */*", lines), ("application/json;q=0, application/x-ndjson;q=0, */*", csv),
            ("text/html, application/xhtml+xml, */*;q=0.8", json), ("text/csv; charset=utf-8", csv),
        ] as [(String?, String)])
    func negotiation(accept: String?, type: String) async throws {
        try await withServer(.sqlite) { server in
            for target in ["/employees?first=2", "/departments", "/employees/20001/titles", "/salaries?first=1"] {
                let response = try await server.client.get(target, accept.map { ["Accept": $0] } ?? [:])
                #expect(response.status == 200)
                #expect(response["Content-Type"] == type, "\(target)")
                #expect(response["Vary"] == "Accept, Accept-Encoding", "\(target)")
            }
        }
    }

    @Test("A request without an acceptable representation is a 406 that lists the available media types")
    func notAcceptable() async throws {
        try await withServer(.sqlite) { server in
            let lists = ["application/json", "application/x-ndjson", "text/csv"]
            for (target, accept, allowed) in [
                ("/employees", "image/png", lists), ("/employees", "application/json;q=0", lists),
                ("/employees", "*/*;q=0", lists), ("/titles", "text/html", lists),
                ("/employees/20001/titles", "text/plain", lists),
                ("/employees/20001", "text/csv", ["application/json"]),
                ("/employees/20001", "application/x-ndjson", ["application/json"]),
                ("/departments/d005", "text/csv", ["application/json"]), ("/", "application/json", ["text/html"]),
                ("/employees?api", "text/csv", ["text/html"]),
            ] {
                let response = try await server.client.get(target, ["Accept": accept])
                #expect(response.status == 406, "\(target) as \(accept)")
                #expect(response.code == "not-acceptable", "\(target) as \(accept)")
                #expect(response.strings("allowed") == allowed, "\(target) as \(accept)")
            }
        }
    }

    @Test(
        "CSV is not selected for a response with details. If no other format is acceptable, a 406 gives the reason"
    )
    func listsInRows() async throws {
        try await withServer(.sqlite) { server in
            for target in [
                "/employees?details=titles", "/departments?details=managers",
                "/departments/d005/employees?details=salaries",
            ] {
                for (accept, type) in [
                    ("text/csv, application/json;q=0.5", Self.json), ("text/csv, */*;q=0.1", Self.json),
                    ("text/csv, application/x-ndjson;q=0.001", Self.lines),
                    ("text/csv;q=0.1, application/*", Self.json),
                ] {
                    let response = try await server.client.get(target, ["Accept": accept])
                    #expect(response.status == 200 && response["Content-Type"] == type, "\(target) as \(accept)")
                    #expect(response["Vary"] == "Accept, Accept-Encoding")
                }
                for accept in ["text/csv", "text/*", "text/csv, application/json;q=0"] {
                    let response = try await server.client.get(target, ["Accept": accept])
                    #expect(response.status == 406 && response.code == "not-acceptable", "\(target) as \(accept)")
                    #expect(response.strings("allowed") == ["application/json", "application/x-ndjson"])
                    let detail = response.string("detail") ?? ""
                    #expect(detail.contains("CSV does not support details") && detail.contains("application/json"))
                    #expect(response["Vary"] == "Accept, Accept-Encoding")
                }
                let other = try await server.client.get(target, ["Accept": "image/png"])
                #expect(other.status == 406 && other.string("detail")?.contains("CSV") == false)
            }
            // The error about an unknown parameter precedes the error about CSV.
            let unknown = try await server.client.get("/titles?details=titles", ["Accept": "text/csv"])
            #expect(unknown.status == 400 && unknown.code == "unknown-parameter")
        }
    }

    @Test("On every route, each response that depends on Accept, including errors, names Accept in Vary")
    func vary() async throws {
        try await withServer(.sqlite) { server in
            var negotiating: Set<String> = []
            for (method, path) in try server.operations() where method == "GET" {
                let refused = try await server.client.get(path, ["Accept": "font/none"])
                let isNegotiated = refused.status == 406
                if isNegotiated { negotiating.insert(path) }
                for target in [path, path + "?oops", path + "?api"] {
                    for (method, accept) in [(HTTPMethod.GET, "text/html"), (.GET, "font/none"), (.HEAD, "*/*")] {
                        let response = try await server.client.send(method, target, ["Accept": accept])
                        #expect(
                            response["Vary"] == (isNegotiated ? "Accept, Accept-Encoding" : "Accept-Encoding"),
                            "\(method) \(target) as \(accept): \(response.status)")
                    }
                }
            }
            #expect(negotiating.isSuperset(of: ["/", "/employees", "/employees/20001", "/graphql", "/titles"]))
            #expect(negotiating.isSuperset(of: ["/employees/20001/thumbnail", "/employees/20001/departments/d005"]))
            for (target, status) in [
                ("/employees/99", 404), ("/departments/x-y", 400), ("/employees?after=x", 400),
                ("/employees?colour=red", 400), ("/graphql?query=%7B", 200), ("/graphql", 400),
            ] {
                let response = try await server.client.get(target)
                #expect(response.status == status && response["Vary"] == "Accept, Accept-Encoding", "\(target)")
            }
            let conditional = try await server.client.get("/employees/20001", ["If-Match": "\"x\""])
            #expect(conditional.status == 412 && conditional["Vary"] == "Accept, Accept-Encoding")
            let written = try await server.client.send(.PATCH, "/employees/20001", json: "{}", ["Accept": "text/csv"])
            #expect(written.status == 200 && written["Vary"] == "Accept-Encoding")
        }
    }

    @Test("Each format encodes special characters and null correctly", arguments: TestBackend.available)
    func awkward(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let target = "/employees?fields=firstName,lastName&name=*%22*"
            let json = try await server.client.get(target)
            #expect(
                json.text == #"[{"firstName":"Says \"hi\"","lastName":"Back\\slash"},"#
                    + "{\"firstName\":\"😀\",\"lastName\":\"\u{1F4A9}, \\\"x\\\"\"}]")
            let csv = try await server.client.get(target, ["Accept": "text/csv"])
            #expect(
                csv.text == "firstName,lastName\r\n\"Says \"\"hi\"\"\",Back\\slash\r\n"
                    + "😀,\"\u{1F4A9}, \"\"x\"\"\"\r\n")
            // NULL is an empty field in CSV, and null in JSON.
            let titles = try await server.client.get(
                "/employees/20001/titles?fields=title,toDate", ["Accept": "text/csv"])
            #expect(titles.text == "title,toDate\r\nSenior Engineer,\r\nEngineer,817794000000\r\n")
            // Readers skip blank lines, so NULL is a quoted empty field if it is the only field.
            let ends = try await server.client.get("/employees/20001/titles?fields=toDate", ["Accept": "text/csv"])
            #expect(ends.text == "toDate\r\n\"\"\r\n817794000000\r\n")
            let lines = try await server.client.get("/employees/20001/titles?fields=toDate", ["Accept": Self.lines])
            #expect(lines.text == "{\"toDate\":null}\n{\"toDate\":817794000000}\n")
        }
    }

    @Test(
        "An empty list is an empty array in JSON, no line in NDJSON, and only a header line in CSV",
        arguments: TestBackend.available)
    func empty(backend: TestBackend) async throws {
        try await withServer(backend, data: .empty) { server in
            for (target, header) in [
                ("/employees", "employeeNumber,firstName,lastName"),
                ("/departments", "departmentNumber,departmentName"),
                ("/titles", "employeeNumber,title,fromDate,toDate"),
                ("/salaries", "employeeNumber,salary,fromDate,toDate"),
                ("/employees?first=5&name=x*", "employeeNumber,firstName,lastName"),
            ] {
                #expect(try await server.client.get(target).text == "[]")
                #expect(try await server.client.get(target, ["Accept": Self.lines]).text.isEmpty)
                #expect(try await server.client.get(target, ["Accept": "text/csv"]).text == header + "\r\n")
            }
            let details = try await server.client.get("/employees?details=titles", ["Accept": Self.lines])
            #expect(details.status == 200)
            #expect(details.text.isEmpty)
        }
    }

    @Test("The export of a list has the same rows as all its pages", arguments: TestBackend.available)
    func exports(backend: TestBackend) async throws {
        try await withServer(backend, data: .sampleAndCrew(260)) { server in
            for target in [
                "/employees?", "/titles?", "/salaries?", "/employees?details=titles,salaries,departments&",
                "/employees?sort=-lastName&fields=hireDate&details=departments&",
                "/departments/d005/employees?sort=hireDate&",
                "/employees?name=*e*&hiredAfter=1990-01-01&", "/departments?details=managers&",
            ] {
                let paged = try await server.client.pages("\(target)first=1000").flatMap { $0 }
                for compressed in [false, true] {
                    let response =
                        compressed
                        ? try await server.client.getCompressed(target, ["Accept": Self.lines])
                        : try await server.client.get(target, ["Accept": Self.lines])
                    #expect(response.status == 200)
                    #expect(response["Content-Length"] == nil && response["ETag"] == nil)
                    #expect(response["Cache-Control"] == "no-store")
                    #expect(response["Server-Timing"] != nil)
                    let streamed = try response.text.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
                    #expect(streamed == paged, "\(target)")
                    #expect(response.text.isEmpty || response.text.hasSuffix("}\n"))
                }
                guard !target.contains("details") else { continue }
                let csv = try await server.client.get(target, ["Accept": "text/csv"]).text
                let rows = csv.lines
                #expect(rows.count == paged.count + 1, "\(target)")
                #expect(rows.dropFirst().elementsEqual(paged.map(Self.csv)), "\(target)")
            }
        }
    }

    @Test(
        "A response is compressed if the client accepts gzip and the body is large enough",
        arguments: TestBackend.available)
    func gzip(backend: TestBackend) async throws {
        try await withServer(backend, data: .sample(100)) { server in
            let target = "/employees?details=salaries"
            let plain = try await server.client.get(target)
            #expect(plain["Content-Encoding"] == nil)
            for (accept, isCompressed) in [
                ("gzip", true), ("gzip, deflate, br", true), ("*", true), ("x-gzip", true), ("gzip;q=0.5", true),
                ("gzip;q=0", false), ("identity", false), ("br", false), ("gzip;q=0.1, identity", false), ("", false),
            ] {
                let response = try await server.client.get(target, ["Accept-Encoding": accept])
                #expect((response["Content-Encoding"] == "gzip") == isCompressed, "\(accept)")
                #expect(response["Vary"] == "Accept, Accept-Encoding")
                #expect(response["Content-Length"] == String(response.size), "\(accept)")
                #expect((response.size < plain.size) == isCompressed)
                #expect((response["ETag"] == plain["ETag"]) == !isCompressed)
            }
            #expect(try await server.client.getCompressed(target).body == plain.body)
            #expect(
                try await server.client.get("/employees/10004", ["Accept-Encoding": "gzip"])["Content-Encoding"] == nil)
        }
    }

    @Test("On every route, a 200 of any size is compressed if the client accepts only gzip")
    func onlyGzip() async throws {
        try await withServer(.sqlite) { server in
            let only = ["Accept-Encoding": "gzip;q=0.1, identity;q=0"] as HTTPHeaders
            for (method, path) in try server.operations() where method == "GET" {
                let accepts = [
                    "/employees": ["*/*", "text/csv"], "/graphql": ["text/html"], "/": ["*/*", "text/html"],
                ]
                for accept in accepts[path] ?? ["*/*"] {
                    let plain = try await server.client.get(path, ["Accept": accept])
                    var compressed = try await server.client.get(path, only.adding("Accept", accept))
                    #expect(compressed.status == plain.status, "\(path)")
                    guard plain.status == 200 else {
                        #expect(compressed["Content-Encoding"] == nil && compressed.code == plain.code)
                        continue
                    }
                    #expect(compressed["Content-Encoding"] == "gzip", "\(path)")
                    #expect((compressed["ETag"] != plain["ETag"]) == (plain["ETag"] != nil))
                    let tag = compressed["ETag"]
                    compressed.body = try Gunzip.decode(compressed.body)
                    // Each read changes the metrics.
                    #expect(compressed.body == plain.body || path == "/metrics", "\(path)")
                    guard let tag else { continue }
                    let current = try await server.client.get(
                        path, only.adding("Accept", accept).adding("If-None-Match", tag))
                    #expect(current.status == 304 && current["ETag"] == tag, "\(path)")
                }
            }
            let query = "{ employee(id: 20001) { lastName ... @defer { titles { title } } } }"
            for accept in ["application/json", "multipart/mixed"] {
                let plain = try await server.client.graphQL(query, nil, ["Accept": accept])
                let compressed = try await server.client.graphQL(query, nil, only.adding("Accept", accept))
                #expect(compressed["Content-Encoding"] == "gzip" && plain["Content-Encoding"] == nil)
                #expect(try Gunzip.decode(compressed.body) == plain.body)
            }
        }
    }

    @Test("If the client accepts no available coding, a response with content is a 406 and nothing is written")
    func noCoding() async throws {
        try await withServer(.sqlite) { server in
            let all = "/employees?details=titles,salaries,departments"
            let before = try await server.client.get(all).text
            let person =
                #"{"firstName":"A","lastName":"B","birthDate":"1960-01-01","gender":"F","hireDate":"1990-01-01"}"#
            for coding in ["identity;q=0", "*;q=0", "br, identity;q=0"] {
                let none = ["Accept-Encoding": coding] as HTTPHeaders
                for (method, path) in try server.operations() where method != "DELETE" {
                    let response = try await server.client.send(HTTPMethod(rawValue: method), path, none)
                    #expect(response.status == 406 && response.code == "not-acceptable", "\(method) \(path)")
                    #expect(response["Content-Encoding"] == nil && response["Cache-Control"] == "no-store")
                    #expect(response.strings("allowed") == ["identity", "gzip"])
                    #expect(response["Vary"]?.hasSuffix("Accept-Encoding") == true)
                }
                #expect(try await server.client.send(.POST, "/employees", json: person, none).status == 406)
            }
            #expect(try await server.client.get(all).text == before)
            // A response without content is never a 406, and other errors take precedence.
            let none = ["Accept-Encoding": "*;q=0"] as HTTPHeaders
            #expect(try await server.client.send(.OPTIONS, "/employees", none).status == 204)
            #expect(try await server.client.send(.DELETE, "/employees/20001", none).status == 204)
            #expect(try await server.client.get("/nothing", none).status == 404)
            #expect(try await server.client.send(.PUT, "/employees", none).status == 405)
        }
    }

    /// Returns a row in the format of RFC 4180.
    private static func csv(_ value: JSONValue) -> String {
        guard case .object(let object) = value else { return "" }
        return object.members.map { member in
            switch member.value {
            case .integer(let integer): String(integer)
            case .string(let text):
                text.contains { ",\"\r\n".contains($0) } || text.hasPrefix(" ") || text.hasSuffix(" ")
                    ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
            default: ""
            }
        }.joined(separator: ",")
    }
}

extension HTTPHeaders {
    /// Returns a copy with one more field.
    fileprivate func adding(_ name: String, _ value: String) -> HTTPHeaders {
        var headers = self
        headers.add(name: name, value: value)
        return headers
    }
}

extension String {
    /// The lines, without the CRLF that ends each line.
    fileprivate var lines: [String] {
        split(separator: "\r\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
