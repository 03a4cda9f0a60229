import DuetJSON
import NIOHTTP1
import TestSupport
import Testing

@Suite("Writing histories") struct PeriodWriteTests {
    @Test("A new open title ends the previous title", arguments: TestBackend.available)
    func title(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            // The end of the previous title is NULL. It is an open end, like 9999-01-01.
            let target = "/employees/20001/titles"
            let response = try await server.client.send(
                .POST, target, json: #"{"title":"Chief \"Engineer\"","fromDate":"2000-01-01"}"#)
            #expect(response.status == 201, "\(response.text)")
            #expect(response["Location"] == target)
            #expect(
                response.text
                    == #"[{"title":"Chief \"Engineer\"","fromDate":946702800000,"toDate":253370782800000},"#
                    + #"{"title":"Senior Engineer","fromDate":817794000000,"toDate":946702800000},"#
                    + #"{"title":"Engineer","fromDate":641880000000,"toDate":817794000000}]"#)
            let read = try await server.client.get(target)
            #expect(read.body == response.body && read["ETag"] == response["ETag"])
            // A new title that has an end does not end another title.
            let closed = try await server.client.send(
                .POST, target + "?fields=title",
                json: #"{"title":"Trainee","fromDate":"1989-01-01","toDate":"1990-05-05"}"#)
            #expect(closed.status == 201)
            #expect(closed.body == (try await server.client.get(target + "?fields=title")).body)
            // The response has the whole list, so the parameters of a page are not valid.
            for parameter in ["first=1", "filter=%7B%7D", "count=true", "sort=title", "current=true"] {
                let refused = try await server.client.send(
                    .POST, "\(target)?\(parameter)", json: #"{"title":"Sage","fromDate":"2010-01-01"}"#)
                #expect(refused.status == 400 && refused.code == "unknown-parameter", "\(parameter)")
            }
            #expect(try await server.client.get(target + "?title=Sage").text == "[]")
        }
    }

    @Test("A new open salary ends the previous salary", arguments: TestBackend.available)
    func salary(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let target = "/employees/20001/salaries"
            let response = try await server.client.send(
                .POST, target, json: #"{"salary":50000,"fromDate":1022904000000}"#)
            #expect(response.status == 201, "\(response.text)")
            #expect(
                response.text == #"[{"salary":50000,"fromDate":1022904000000,"toDate":253370782800000},"#
                    + #"{"salary":41000,"fromDate":673416000000,"toDate":1022904000000},"#
                    + #"{"salary":40000,"fromDate":641880000000,"toDate":641880000000}]"#)
            #expect(try await server.client.get(target).body == response.body)
            // The first salary of an employee. The end 9999-01-01 means no end.
            let first = try await server.client.send(
                .POST, "/employees/20012/salaries", json: #"{"salary":1,"fromDate":"9998-12-31","toDate":"9999-01-01"}"#
            )
            #expect(first.status == 201)
        }
    }

    @Test(
        "Periods that overlap or have the same key are a conflict that changes nothing",
        arguments: TestBackend.available)
    func conflicts(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (history, body, status) in [
                ("titles", #"{"title":"Engineer","fromDate":"1990-05-05"}"#, 409),
                ("titles", #"{"title":"Engineer","fromDate":"1990-05-05","toDate":"1990-05-05"}"#, 409),
                // The new title is open and begins before or with an open title.
                ("titles", #"{"title":"New","fromDate":"1992-01-01"}"#, 409),
                ("titles", #"{"title":"New","fromDate":"1995-12-01"}"#, 409),
                ("titles", #"{"title":"New","fromDate":"1980-01-01"}"#, 409),
                // The new title overlaps a closed title, an open title, or both.
                ("titles", #"{"title":"New","fromDate":"1990-01-01","toDate":"1990-05-06"}"#, 409),
                ("titles", #"{"title":"New","fromDate":"1995-11-30","toDate":"1995-12-01"}"#, 409),
                ("titles", #"{"title":"New","fromDate":"2000-01-01","toDate":"2001-01-01"}"#, 409),
                ("titles", #"{"title":"New","fromDate":"1980-01-01","toDate":"9998-01-01"}"#, 409),
                ("salaries", #"{"salary":1,"fromDate":"1990-05-05","toDate":"1990-05-06"}"#, 409),
                ("salaries", #"{"salary":1,"fromDate":"1991-05-05"}"#, 409),
                ("salaries", #"{"salary":1,"fromDate":"1990-05-06"}"#, 409),
                ("salaries", #"{"salary":1,"fromDate":"1991-05-04","toDate":"1991-05-06"}"#, 409),
            ] as [(String, String, Int)] {
                let target = "/employees/20001/\(history)"
                let before = try await server.client.get(target)
                let response = try await server.client.send(.POST, target, json: body)
                #expect(response.status == status, "\(body): \(response.text)")
                #expect(response.code == "conflict")
                #expect(response.string("key")?.contains("fromDate") == true)
                #expect(try await server.client.get(target).body == before.body, "\(body)")
            }
            // Adjacent periods do not overlap, and a period of zero days overlaps no other period.
            for (history, body) in [
                ("titles", #"{"title":"Before","fromDate":"1989-05-05","toDate":"1990-05-05"}"#),
                ("titles", #"{"title":"Moment","fromDate":"1992-01-01","toDate":"1992-01-01"}"#),
                ("salaries", #"{"salary":1,"fromDate":"1990-05-06","toDate":"1991-05-05"}"#),
            ] {
                let response = try await server.client.send(.POST, "/employees/20001/\(history)", json: body)
                #expect(response.status == 201, "\(body): \(response.text)")
            }
        }
    }

    @Test("The response to an invalid period lists every invalid member", arguments: TestBackend.available)
    func invalid(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (method, target, body, fields) in [
                (.POST, "titles", "{}", ["title", "fromDate"]),
                (
                    .POST, "titles", #"{"title":"","fromDate":null,"toDate":null,"salary":1}"#,
                    ["title", "fromDate", "toDate", "salary"]
                ),
                (.POST, "titles", #"{"title":"X","fromDate":"2000-01-02","toDate":"2000-01-01"}"#, ["toDate"]),
                (
                    .POST, "titles", #"{"title":"\#(String(repeating: "x", count: 51))","fromDate":"2000-01-02"}"#,
                    ["title"]
                ),
                (.POST, "salaries", #"{"salary":0,"fromDate":"x"}"#, ["salary", "fromDate"]),
                (.POST, "salaries", #"{"salary":1.5,"fromDate":5}"#, ["salary", "fromDate"]),
                (.POST, "salaries", #"{"salary":2147483648,"fromDate":"2000-01-01"}"#, ["salary"]),
                (.POST, "salaries", #"{"salary":"1","fromDate":"2000-01-01","title":"x"}"#, ["salary", "title"]),
                (.PUT, "departments/d005", "{}", ["fromDate"]),
                (
                    .PUT, "departments/d005", #"{"departmentNumber":"d005","fromDate":"2000-01-01"}"#,
                    ["departmentNumber"]
                ),
                (.PUT, "departments/d005", #"{"fromDate":"2000-01-02","toDate":"2000-01-01"}"#, ["toDate"]),
            ] as [(HTTPMethod, String, String, [String])] {
                let response = try await server.client.send(method, "/employees/20001/\(target)", json: body)
                #expect(response.status == 422, "\(body)")
                #expect(response.code == "validation-failed")
                #expect(response.fields == fields, "\(body)")
            }
        }
    }

    @Test("PUT creates an assignment, and a later PUT changes the assignment", arguments: TestBackend.available)
    func assign(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let target = "/employees/20012/departments/d009"
            let body = #"{"fromDate":"2000-01-01"}"#
            // The precondition requires an existing assignment.
            #expect(try await server.client.send(.PUT, target, json: body, ["If-Match": "*"]).status == 412)
            let made = try await server.client.send(.PUT, target, json: body, ["If-None-Match": "*"])
            #expect(made.status == 201, "\(made.text)")
            #expect(made["Location"] == target)
            let read = try await server.client.get(target)
            #expect(
                read.text == #"{"departmentNumber":"d009","departmentName":"Customer Service","#
                    + #""fromDate":946702800000,"toDate":253370782800000}"#)
            #expect(read.body == made.body && read["ETag"] == made["ETag"])
            #expect(try await server.client.send(.PUT, target, json: body, ["If-None-Match": "*"]).status == 412)
            let again = try await server.client.send(.PUT, target, json: body)
            #expect(again.status == 200 && again.body == made.body && again["Location"] == nil)
            let tag = try #require(again["ETag"])
            let changed = try await server.client.send(
                .PUT, target + "?fields=toDate", json: #"{"fromDate":"2000-01-01","toDate":"2001-01-01"}"#)
            #expect(changed.status == 200)
            #expect(changed.text == #"{"toDate":978325200000}"#)
            #expect(try await server.client.send(.PUT, target, json: body, ["If-Match": tag]).status == 412)
            // The employee does not work there now.
            #expect(try await server.client.get("/departments/d009/employees?name=zed").text == "[]")
        }
    }

    @Test("If-Match with the entity tag of a read allows only one write", arguments: TestBackend.available)
    func ifMatch(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (method, target, body) in [
                (.POST, "/employees/20001/titles", #"{"title":"X","fromDate":"2000-01-01"}"#),
                (.POST, "/employees/20001/salaries?fields=salary", #"{"salary":1,"fromDate":"2003-01-01"}"#),
                (.PUT, "/employees/20001/departments/d005", #"{"fromDate":"1990-05-05","toDate":"1990-05-06"}"#),
            ] as [(HTTPMethod, String, String)] {
                let tag = try #require(try await server.client.get(target)["ETag"])
                let written = try await server.client.send(method, target, json: body, ["If-Match": tag])
                #expect(written.status == (method == .POST ? 201 : 200), "\(target): \(written.text)")
                #expect(try await server.client.send(method, target, json: body, ["If-Match": tag]).status == 412)
            }
        }
    }

    @Test(
        "PUT ends the previous assignment, and an overlapping assignment is a conflict",
        arguments: TestBackend.available)
    func onlyOneDepartment(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let person =
                #"{"employeeNumber":7,"firstName":"A","lastName":"B","birthDate":"1960-01-01","gender":"F","#
                + #""hireDate":"1990-01-01"}"#
            #expect(try await server.client.send(.POST, "/employees", json: person).status == 201)
            let base = "/employees/7/departments"
            func put(_ department: String, _ body: String) async throws -> TestResponse {
                try await server.client.send(.PUT, "\(base)/\(department)", json: body)
            }
            #expect(try await put("d005", #"{"fromDate":"1990-01-01"}"#).status == 201)
            #expect(try await put("d009", #"{"fromDate":"2000-01-01"}"#).status == 201)
            #expect(
                try await server.client.get("\(base)?fields=departmentNumber,toDate").text
                    == #"[{"departmentNumber":"d009","toDate":253370782800000},"#
                    + #"{"departmentNumber":"d005","toDate":946702800000}]"#)
            let overlapping = try await put("x1", #"{"fromDate":"1995-01-01","toDate":"2001-01-01"}"#)
            #expect(overlapping.status == 409 && overlapping.string("key") == "fromDate")
            #expect(try await server.client.get("\(base)/x1").status == 404)
            // An assignment does not conflict with itself.
            #expect(try await put("d009", #"{"fromDate":"2000-02-01"}"#).status == 200)
        }
    }

    @Test("A write to an unknown employee or department is a 404", arguments: TestBackend.available)
    func missing(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (method, target, body, code) in [
                (.POST, "/employees/19999/titles", #"{"title":"X","fromDate":"2000-01-01"}"#, "unknown-employee"),
                (.POST, "/employees/19999/salaries", #"{"salary":1,"fromDate":"2000-01-01"}"#, "unknown-employee"),
                (.PUT, "/employees/19999/departments/d005", #"{"fromDate":"2000-01-01"}"#, "unknown-employee"),
                (.PUT, "/employees/20001/departments/d999", #"{"fromDate":"2000-01-01"}"#, "unknown-department"),
                (.PATCH, "/employees/19999", "{}", "unknown-employee"),
                (.DELETE, "/employees/19999", "", "unknown-employee"),
            ] as [(HTTPMethod, String, String, String)] {
                let response = try await server.client.send(method, target, json: body)
                #expect(response.status == 404, "\(method) \(target)")
                #expect(response.code == code, "\(method) \(target)")
            }
            for (method, target) in [
                (.POST, "/employees/0/titles"), (.PATCH, "/employees/x"), (.DELETE, "/employees/99999999999"),
                (.PUT, "/employees/20001/departments/d00555"),
            ] as [(HTTPMethod, String)] {
                #expect(
                    try await server.client.send(method, target, json: "{}").code == "invalid-parameter", "\(target)")
            }
        }
    }

    @Test(
        "Titles that are added concurrently follow each other without gaps, and only the latest is open",
        arguments: TestBackend.available)
    func concurrent(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for year in 2000..<2012 {
                    tasks.addTask {
                        try await server.client.send(
                            .POST, "/employees/20012/titles",
                            json: #"{"title":"T\#(year)","fromDate":"\#(year)-01-01"}"#
                        ).status
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            // A title is a conflict if a title with a later start has already been added.
            #expect(statuses.allSatisfy { $0 == 201 || $0 == 409 })
            let titles = try await server.client.get("/employees/20012/titles").array()
            #expect(titles.count == statuses.count { $0 == 201 })
            #expect(titles.first?["title"] == "T2011")
            #expect(titles.first?["toDate"] == 253_370_782_800_000)
            for (later, earlier) in zip(titles, titles.dropFirst()) { #expect(earlier["toDate"] == later["fromDate"]) }
        }
    }
}
