import JSON
import NIOHTTP1
import TestSupport
import Testing

@Suite("Representations") struct RepresentationTests {
    private static let json = "application/json"
    private static let lines = "application/x-ndjson"
    private static let csv = "text/csv; charset=utf-8; header=present"

    @Test(
        "are chosen by Accept",
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

    @Test("that cannot be had are a 406 that lists those that can")
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
            // A list in CSV has no place for lists in its rows.
            for target in [
                "/employees?details=titles", "/departments?details=managers",
                "/departments/d005/employees?details=salaries",
            ] {
                let response = try await server.client.get(target, ["Accept": "text/csv"])
                #expect(response.status == 400)
                #expect(response.code == "invalid-parameter")
                #expect(response.string("parameter") == "details")
            }
        }
    }

    @Test("of awkward values are right in each form", arguments: TestBackend.available)
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
            // NULL is an empty field, and null.
            let titles = try await server.client.get(
                "/employees/20001/titles?fields=title,toDate", ["Accept": "text/csv"])
            #expect(titles.text == "title,toDate\r\nSenior Engineer,\r\nEngineer,817794000000\r\n")
            let lines = try await server.client.get("/employees/20001/titles?fields=toDate", ["Accept": Self.lines])
            #expect(lines.text == "{\"toDate\":null}\n{\"toDate\":817794000000}\n")
        }
    }

    @Test("of nothing are an empty array, no line, and a header line", arguments: TestBackend.available)
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

    @Test("of whole tables are complete and say what the pages say", arguments: TestBackend.available)
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

    @Test("are compressed when asked for, and worth it", arguments: TestBackend.available)
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

    /// A row as RFC 4180 wants it.
    private static func csv(_ value: JSONValue) -> String {
        guard case .object(let object) = value else { return "" }
        return object.members.map { member in
            switch member.value {
            case .integer(let integer): String(integer)
            case .string(let text):
                text.contains { ",\"\r\n".contains($0) } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
            default: ""
            }
        }.joined(separator: ",")
    }
}

extension String {
    /// Those that CRLF ends.
    fileprivate var lines: [String] {
        split(separator: "\r\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
