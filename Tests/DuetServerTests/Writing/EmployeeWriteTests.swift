import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import NIOHTTP1
import TestSupport
import Testing

@Suite("Writing employees") struct EmployeeWriteTests {
    private static let all = "fields=employeeNumber,firstName,lastName,birthDate,gender,hireDate"
    private static let grace =
        #"{"firstName":"Grace","lastName":"Hopper","birthDate":"1906-12-09","gender":"F","hireDate":"1944-07-02"}"#

    @Test("POST creates an employee and returns the same representation as GET", arguments: TestBackend.available)
    func create(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (query, number) in [("", 20013), ("?\(Self.all)&details=titles,salaries", 20014)] {
                let response = try await server.client.send(.POST, "/employees\(query)", json: Self.grace)
                #expect(response.status == 201)
                let location = try #require(response["Location"])
                #expect(location == "/employees/\(number)")
                // Content-Location identifies the representation in the body if it differs from the representation at
                // Location.
                #expect(response["Content-Location"] == (query.isEmpty ? nil : location + query))
                #expect(response["Content-Type"] == "application/json")
                #expect(response["Cache-Control"] == "no-store")
                let read = try await server.client.get(location + query)
                #expect(read.body == response.body)
                #expect(read["ETag"] != nil && read["ETag"] == response["ETag"])
            }
            let whole = try await server.client.get("/employees/20014?\(Self.all)")
            #expect(
                whole.text == #"{"employeeNumber":20014,"firstName":"Grace","lastName":"Hopper","#
                    + #""birthDate":-1990119600000,"gender":"F","hireDate":-804715200000}"#)
            // In an empty table, the first number is 10001.
        }
        try await withServer(backend, data: .empty) { server async throws in
            #expect(
                try await server.client.send(.POST, "/employees", json: Self.grace)["Location"] == "/employees/10001")
        }
    }

    @Test(
        "Requests accept dates as ISO texts and in the configured format. Responses use the configured format",
        arguments: TestBackend.available)
    func dates(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let body =
                #"{"employeeNumber":7,"firstName":"A","lastName":"B","birthDate":-1990119600000,"gender":"F","#
                + #""hireDate":"1944-07-02"}"#
            let response = try await server.client.send(.POST, "/employees?fields=birthDate,hireDate", json: body)
            #expect(response.text == #"{"birthDate":-1990119600000,"hireDate":-804715200000}"#)
            // A number is a date only if it is the first moment of a day.
            let wrong = try await server.client.send(.PATCH, "/employees/7", json: #"{"hireDate":817794000001}"#)
            #expect(wrong.status == 422 && wrong.fields == ["hireDate"])
            let noon = try await server.client.send(.PATCH, "/employees/7", json: #"{"hireDate":817837200000}"#)
            #expect(noon.status == 422)
        }
        try await withServer(backend, encoding: ValueEncoding(dates: .iso)) { server in
            let response = try await server.client.send(.POST, "/employees?\(Self.all)", json: Self.grace)
            #expect(response.text.contains(#""birthDate":"1906-12-09""#))
            let number = try await server.client.send(.PATCH, "/employees/20001", json: #"{"hireDate":817794000000}"#)
            #expect(number.status == 422 && number.fields == ["hireDate"])
        }
    }

    @Test("An integer in a request can have a zero fraction or an exponent", arguments: TestBackend.available)
    func wholeNumbers(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (number, written) in [(737_113, "737113.0"), (737_114, "7.37114e5"), (737_115, "7371150E-1")] {
                let body = Self.grace.replacing("{", with: "{\"employeeNumber\":\(written),")
                let made = try await server.client.send(.POST, "/employees", json: body)
                #expect(made.status == 201 && made["Location"] == "/employees/\(number)", "\(made.text)")
            }
            let dated = try await server.client.send(
                .PATCH, "/employees/737113?fields=hireDate", json: #"{"hireDate":817794000000.0}"#)
            #expect(dated.text == #"{"hireDate":817794000000}"#)
            let paid = try await server.client.send(
                .POST, "/employees/737113/salaries?fields=salary", json: #"{"salary":5e4,"fromDate":"2001-01-01"}"#)
            #expect(paid.text == #"[{"salary":50000}]"#)
            for wrong in ["737116.5", "1e300", "0.0", "-1.0", "3e9", "\"737116\""] {
                let body = Self.grace.replacing("{", with: "{\"employeeNumber\":\(wrong),")
                let refused = try await server.client.send(.POST, "/employees", json: body)
                #expect(refused.status == 422 && refused.fields == ["employeeNumber"], "\(wrong)")
            }
            // These values are one second and half a millisecond after the first moment of a day.
            for wrong in ["817794001000", "817794000000.5"] {
                let refused = try await server.client.send(
                    .PATCH, "/employees/737113", json: "{\"hireDate\":\(wrong)}")
                #expect(refused.status == 422 && refused.fields == ["hireDate"], "\(wrong)")
            }
        }
    }

    @Test(
        "PATCH changes the given members and returns the same representation as GET", arguments: TestBackend.available)
    func update(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let before = try await server.client.get("/employees/20001?\(Self.all)")
            for (query, body) in [
                ("", #"{"lastName":"O'Brian"}"#),
                ("?\(Self.all)&details=titles", #"{"firstName":"Ünsal","gender":"F"}"#),
                ("?\(Self.all)", "{}"), ("", #"{"hireDate":"1991-01-01","birthDate":"1970-01-01"}"#),
                ("", "{\"lastName\":\"\u{1F4A9}\"}"), ("", #"{"firstName":"\u00e9\ud83d\ude00"}"#),
            ] {
                let response = try await server.client.send(
                    .PATCH, "/employees/20001\(query)", json: body, ["Content-Type": "application/merge-patch+json"])
                #expect(response.status == 200, "\(body): \(response.text)")
                let read = try await server.client.get("/employees/20001\(query)")
                #expect(read.body == response.body)
                #expect(read["ETag"] == response["ETag"])
                #expect(response["Cache-Control"] == "no-store")
            }
            let after = try await server.client.get("/employees/20001?\(Self.all)")
            #expect(after.text != before.text)
            #expect(after.string("firstName") == "é😀" && after.string("lastName") == "\u{1F4A9}")
            #expect(after.string("gender") == "F")
        }
    }

    @Test(
        "DELETE removes an employee with all related rows, and a second DELETE is a 404",
        arguments: TestBackend.available)
    func delete(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let response = try await server.client.send(.DELETE, "/employees/20001")
            #expect(response.status == 204)
            #expect(response.isEmpty && response["Content-Length"] == nil)
            #expect(response["Cache-Control"] == "no-store")
            #expect(try await server.client.get("/employees/20001").status == 404)
            #expect(try await server.client.send(.DELETE, "/employees/20001").code == "unknown-employee")
            for table in ["titles", "salaries"] {
                let rows = try await server.client.get("/\(table)").array()
                #expect(!rows.isEmpty && !rows.contains { $0["employeeNumber"] == 20001 })
            }
            #expect(try await server.client.get("/departments/d005?details=managers").text.contains("20001") == false)
        }
    }

    @Test(
        "A duplicate employee number is a conflict that names the key, and changes nothing",
        arguments: TestBackend.available
    )
    func taken(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let before = try await server.client.get("/employees?\(Self.all)").text
            let body = Self.grace.replacing("{", with: #"{"employeeNumber":20001,"#)
            let response = try await server.client.send(.POST, "/employees", json: body)
            #expect(response.status == 409)
            #expect(response.code == "conflict")
            #expect(response.string("key") == "employeeNumber")
            #expect(try await server.client.get("/employees?\(Self.all)").text == before)
            // After the maximum number there is no next number.
            let last = Self.grace.replacing("{", with: #"{"employeeNumber":2147483647,"#)
            #expect(
                try await server.client.send(.POST, "/employees", json: last)["Location"] == "/employees/2147483647")
            let full = try await server.client.send(.POST, "/employees", json: Self.grace)
            #expect(full.status == 409 && full.string("key") == "employeeNumber")
        }
    }

    @Test("The response to an invalid employee lists every invalid member", arguments: TestBackend.available)
    func invalid(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let before = try await server.client.get("/employees?\(Self.all)").text
            for (body, fields) in [
                ("{}", ["firstName", "lastName", "birthDate", "gender", "hireDate"]),
                (
                    #"{"firstName":1,"lastName":null,"birthDate":"1906-02-30","gender":"X","hireDate":true,"salary":5}"#,
                    ["firstName", "lastName", "birthDate", "gender", "hireDate", "salary"]
                ),
                (Self.grace.replacing("Grace", with: ""), ["firstName"]),
                (Self.grace.replacing("Grace", with: "  "), ["firstName"]),
                (Self.grace.replacing("Grace", with: "fifteen letters"), ["firstName"]),
                (Self.grace.replacing("Hopper", with: "seventeen letters"), ["lastName"]),
                (Self.grace.replacing("Hopper", with: "a\\u0000b"), ["lastName"]),
                (Self.grace.replacing("Hopper", with: "a\\nb"), ["lastName"]),
                (Self.grace.replacing("1944-07-02", with: "1906-12-09"), ["hireDate"]),
                (Self.grace.replacing("1906-12-09", with: "0999-12-31"), ["birthDate"]),
                (Self.grace.replacing("1906-12-09", with: "1906-12-9"), ["birthDate"]),
                (Self.grace.replacing("\"F\"", with: "\"f\""), ["gender"]),
                (Self.grace.replacing("{", with: #"{"employeeNumber":0,"#), ["employeeNumber"]),
                (Self.grace.replacing("{", with: #"{"employeeNumber":"5","#), ["employeeNumber"]),
                (Self.grace.replacing("{", with: #"{"employeeNumber":5.5,"#), ["employeeNumber"]),
                (Self.grace.replacing("{", with: #"{"employeeNumber":2147483648,"#), ["employeeNumber"]),
                (Self.grace.replacing("{", with: #"{"employeeNumber":99999999999999999999,"#), ["employeeNumber"]),
                (Self.grace.replacing("{", with: #"{"":1,"FirstName":"x","#), ["", "FirstName"]),
            ] {
                let response = try await server.client.send(.POST, "/employees", json: body)
                #expect(response.status == 422, "\(body)")
                #expect(response.code == "validation-failed", "\(body)")
                #expect(response.fields == fields, "\(body)")
            }
            for (body, fields) in [
                (#"{"employeeNumber":5}"#, ["employeeNumber"]), (#"{"lastName":null}"#, ["lastName"]),
                (#"{"hireDate":"1950-01-01"}"#, ["hireDate"]), (#"{"birthDate":"1990-05-05"}"#, ["birthDate"]),
                (#"{"birthDate":"2000-01-01","hireDate":"1999-01-01"}"#, ["hireDate"]),
                (#"{"firstName":"ok","gender":"","titles":[]}"#, ["gender", "titles"]),
            ] {
                let response = try await server.client.send(.PATCH, "/employees/20001", json: body)
                #expect(response.status == 422, "\(body)")
                #expect(response.fields == fields, "\(body)")
            }
            #expect(try await server.client.get("/employees?\(Self.all)").text == before)
            // The limit of fourteen counts characters, not bytes.
            let long = Self.grace.replacing("Grace", with: String(repeating: "\u{1F4A9}", count: 14))
            #expect(try await server.client.send(.POST, "/employees", json: long).status == 201)
        }
    }

    @Test("A body that is not a JSON object is a 400, and a Content-Type other than JSON is a 415")
    func malformed() async throws {
        try await withServer(.sqlite) { server in
            for body in [
                "", "{", "[]", "null", "\"x\"", "5", "{} {}", "{,}", #"{"a":1,}"#, #"{'a':1}"#,
                #"{"firstName":"A","firstName":"B"}"#,
                #"{"firstName":"\ud800"}"#, "{\"firstName\":\"a\u{1}\"}", #"{"birthDate":1e999}"#, #"{"a":01}"#, "nul",
                String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 1_000),
                "\u{FEFF}{}",
            ] {
                for (method, path) in [
                    (HTTPMethod.POST, "/employees"), (.PATCH, "/employees/20001"), (.POST, "/employees/20001/titles"),
                    (.POST, "/employees/20001/salaries"), (.PUT, "/employees/20001/departments/d005"),
                ] {
                    let response = try await server.client.send(method, path, json: body)
                    #expect(response.status == 400, "\(method) \(path) \(body.prefix(20))")
                    #expect(response.code == "malformed-body", "\(method) \(path) \(body.prefix(20))")
                }
            }
            for type in [
                "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "json", "application/ json",
            ] {
                let response = try await server.client.send(
                    .POST, "/employees", json: Self.grace, ["Content-Type": type])
                #expect(response.status == 415, "\(type)")
                #expect(response.code == "unsupported-media-type")
                #expect(response.strings("allowed") == ["application/json"])
                #expect(response["Accept"] == "application/json")
            }
            #expect(try await server.client.send(.PATCH, "/employees/20001", body: "{}").status == 415)
            let patch = try await server.client.send(
                .PATCH, "/employees/20001", json: "{}", ["Content-Type": "text/plain"])
            #expect(patch.strings("allowed") == ["application/merge-patch+json", "application/json"])
            for type in ["application/json; charset=utf-8", "APPLICATION/JSON", "application/json ;charset=UTF-8"] {
                #expect(
                    try await server.client.send(.PATCH, "/employees/20001", json: "{}", ["Content-Type": type]).status
                        == 200)
            }
            let packed = try await server.client.send(
                .PATCH, "/employees/20001", json: "{}", ["Content-Encoding": "gzip"])
            #expect(packed.status == 415)
            // The server checks the query string before the body.
            let query = try await server.client.send(.POST, "/employees?first=1", json: Self.grace)
            #expect(query.status == 400 && query.code == "unknown-parameter")
            #expect(try await server.client.get("/employees").array().count == Crew.people.count)
        }
    }

    @Test("A write runs only if its If-Match matches the current entity tag", arguments: TestBackend.available)
    func ifMatch(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let read = try await server.client.get("/employees/20001")
            let tag = try #require(read["ETag"])
            for match in ["\"other\"", "W/\(tag)", "nonsense"] {
                let refused = try await server.client.send(
                    .PATCH, "/employees/20001", json: #"{"lastName":"X"}"#, ["If-Match": match])
                #expect(refused.status == 412 && refused.code == "precondition-failed", "\(match)")
                #expect(try await server.client.send(.DELETE, "/employees/20001", ["If-Match": match]).status == 412)
            }
            let exists = try await server.client.send(.PATCH, "/employees/20001", json: "{}", ["If-None-Match": "*"])
            #expect(exists.status == 412)
            #expect(try await server.client.get("/employees/20001").body == read.body)
            let changed = try await server.client.send(
                .PATCH, "/employees/20001", json: #"{"lastName":"X"}"#, ["If-Match": "\"other\", \(tag)"])
            #expect(changed.status == 200)
            // The tag belongs to an outdated state.
            #expect(
                try await server.client.send(.PATCH, "/employees/20001", json: "{}", ["If-Match": tag]).status == 412)
            let next = try #require(changed["ETag"])
            #expect(try await server.client.send(.DELETE, "/employees/20001", ["If-Match": next]).status == 204)
            #expect(try await server.client.send(.DELETE, "/employees/20001", ["If-Match": "*"]).status == 404)
            // A tag belongs to a representation, which the query determines.
            let detailed = try #require(try await server.client.get("/employees/20002?details=titles")["ETag"])
            #expect(
                try await server.client.send(.PATCH, "/employees/20002", json: "{}", ["If-Match": detailed]).status
                    == 412)
            #expect(
                try await server.client.send(
                    .PATCH, "/employees/20002?details=titles", json: "{}", ["If-Match": detailed]
                ).status == 200)
            #expect(
                try await server.client.send(.POST, "/employees", json: Self.grace, ["If-None-Match": "*"]).status
                    == 201)
        }
    }

    @Test("Entity tags of writable resources use SHA-256, so that no client can create two states with the same tag")
    func collisionResistance() async throws {
        try await withServer(.sqlite) { server in
            for target in [
                "/employees/20001", "/employees/20001?details=titles&fields=lastName", "/employees/20001/titles",
                "/employees/20001/salaries?fields=salary", "/employees/20001/departments",
                "/employees/20001/departments/d005",
            ] {
                let read = try await server.client.get(target)
                #expect(read["ETag"] == BodyTag(BodyDigest(of: read.body)).fieldValue(), "\(target)")
            }
            let written = try await server.client.send(.PATCH, "/employees/20001", json: #"{"lastName":"X"}"#)
            #expect(written["ETag"] == BodyTag(BodyDigest(of: written.body)).fieldValue())
        }
    }

    @Test("Exactly one of several concurrent changes with the same If-Match succeeds", arguments: TestBackend.available)
    func concurrentChanges(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for round in 0..<5 {
                let tag = try #require(try await server.client.get("/employees/20001")["ETag"])
                let responses = try await withThrowingTaskGroup(of: TestResponse.self) { tasks in
                    for index in 0..<12 {
                        tasks.addTask {
                            try await server.client.send(
                                .PATCH, "/employees/20001", json: #"{"lastName":"r\#(round)-\#(index)"}"#,
                                ["If-Match": tag])
                        }
                    }
                    return try await tasks.reduce(into: []) { $0.append($1) }
                }
                #expect(responses.count { $0.status == 200 } == 1)
                #expect(responses.count { $0.status == 412 } == 11)
                let winner = try #require(responses.first { $0.status == 200 })
                #expect(try await server.client.get("/employees/20001").body == winner.body)
            }
        }
    }

    @Test("Employees created concurrently without a number have different numbers", arguments: TestBackend.available)
    func concurrentCreation(backend: TestBackend) async throws {
        try await withServer(backend, configuration: .init(poolSize: 8)) { server in
            let locations = try await withThrowingTaskGroup(of: String?.self) { tasks in
                for index in 0..<60 {
                    tasks.addTask {
                        let body = Self.grace.replacing("Hopper", with: "H\(index)")
                        let response = try await server.client.send(.POST, "/employees", json: body)
                        #expect(response.status == 201, "\(response.text)")
                        #expect(response.string("lastName") == "H\(index)")
                        return response["Location"]
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(locations) == Set((20013...20072).map { "/employees/\($0)" }))
        }
    }
}
