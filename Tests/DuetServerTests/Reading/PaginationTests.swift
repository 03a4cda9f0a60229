import DuetJSON
import NIOHTTP1
import TestSupport
import Testing

@Suite("Pagination") struct PaginationTests {
    /// Returns the whole list in the expected order. The texts of ``Crew`` are compared by code points. Equal values
    /// are ordered by number in the same direction.
    private static func expected(_ sort: String?) -> [Int] {
        let isDescending = sort?.hasPrefix("-") == true
        let field = isDescending ? sort.map { String($0.dropFirst()) } : sort
        func key(_ person: (number: Int, birth: String, first: String, last: String, gender: String, hire: String))
            -> [UInt8]
        {
            switch field {
            case "lastName": Array(person.last.utf8)
            case "hireDate": Array(person.hire.utf8)
            case "birthDate": Array(person.birth.utf8)
            default: []
            }
        }
        let ascending = Crew.people.sorted { left, right in
            let (a, b) = (key(left), key(right))
            return a == b ? left.number < right.number : a.lexicographicallyPrecedes(b)
        }.map(\.number)
        return isDescending ? ascending.reversed() : ascending
    }

    private static let sorts: [String?] = [
        nil, "employeeNumber", "-employeeNumber", "lastName", "-lastName", "hireDate", "-hireDate", "birthDate",
        "-birthDate",
    ]

    @Test(
        "Pages contain each employee once and in order, for each sort order and page size",
        arguments: TestBackend.available)
    func everySort(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for sort in Self.sorts {
                let order = sort.map { "&sort=\($0)" } ?? ""
                let expected = Self.expected(sort).map { JSONValue.integer(Int64($0)) }
                for size in [1, 2, 5, 11, 12, 13] {
                    let pages = try await server.client.pages("/employees?first=\(size)\(order)")
                    #expect(pages.flatMap { $0 }.map { $0["employeeNumber"] } == expected, "\(size)\(order)")
                    #expect(pages.dropLast().allSatisfy { $0.count == size }, "\(size)\(order)")
                    #expect(pages.last?.isEmpty == false, "\(size)\(order)")
                }
                let hidden = try await server.client.pages("/employees?first=5&fields=gender&details=titles\(order)")
                #expect(hidden.flatMap { $0 }.count == expected.count, "\(order)")
            }
        }
    }

    @Test("The pages of each list contain the same rows as its export", arguments: TestBackend.available)
    func tables(backend: TestBackend) async throws {
        try await withServer(backend, data: .sampleAndCrew(40)) { server in
            for table in ["titles", "salaries", "departments", "employees", "departments/d005/employees"] {
                let lines = try await server.client.get("/\(table)", ["Accept": "application/x-ndjson"])
                let whole = lines.text.split(separator: "\n").map(String.init)
                #expect(!whole.isEmpty)
                for size in [1, 7, 1000] where size > 1 || whole.count < 100 {
                    let pages = try await server.client.pages("/\(table)?first=\(size)")
                    #expect(
                        try pages.flatMap { $0 } == whole.map { try JSONValue(parsing: $0.utf8) }, "\(table) \(size)")
                }
            }
        }
    }

    @Test(
        "The link to the next page repeats the parameters of the request unchanged, except for the cursor",
        arguments: TestBackend.available)
    func link(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let first = try await server.client.get(
                "/employees?name=%2ABrien&sort=-lastName&fields=lastName%2CemployeeNumber&details=titles&first=2")
            let next = try #require(first.next)
            #expect(
                next.hasPrefix(
                    "/employees?name=%2ABrien&sort=-lastName&fields=lastName%2CemployeeNumber&details=titles&first=2&after="
                ))
            let second = try await server.client.get(next)
            #expect(try second.array().map { $0["employeeNumber"] } == [20002])
            #expect(second["Link"] == nil)
            // The link replaces the cursor at any position, even if the name of the parameter is percent-encoded.
            let cursor = try #require(next.split(separator: "after=").last)
            for other in [
                "after=\(cursor)&first=1&name=*Brien&sort=-lastName",
                "first=1&%61fter=\(cursor)&name=*Brien&sort=-lastName",
            ] {
                let third = try await server.client.get("/employees?\(other)")
                #expect(third.status == 200)
                #expect(third["Link"] == nil)
            }
            let again = try await server.client.get("/employees?%61fter=\(try await Self.cursor(server, ""))&first=1")
            let link = try #require(again.next)
            #expect(try await server.client.get(link).status == 200)
        }
    }

    @Test("The link to the next page is a valid URI for any filter value")
    func awkwardLink() async throws {
        try await withServer(.sqlite) { server in
            for number in [1, 2] {
                let body =
                    #"{"employeeNumber":\#(number),"firstName":"a>b","lastName":"<\"|{}","birthDate":"1970-01-01","#
                    + #""gender":"F","hireDate":"1990-01-01"}"#
                #expect(try await server.client.send(.POST, "/employees", json: body).status == 201)
            }
            let answer = try await server.client.exchange("GET", "/employees?name=*>*&first=1")
            let link = try #require(answer.firstMatch(of: /\r\n[Ll]ink: <(.*?)>; rel="next"\r\n/)?.1)
            #expect(link.hasPrefix("/employees?name=*%3E*&first=1&after="))
            #expect(try await server.client.get(String(link)).array().map { $0["employeeNumber"] } == [2])
        }
    }

    @Test("A page has a link if and only if there are more rows", arguments: TestBackend.available)
    func more(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (target, hasMore) in [
                ("/employees?first=11", true), ("/employees?first=12", false), ("/employees?first=1000", false),
                ("/employees", false), ("/employees?first=1&name=Zed", false),
                ("/employees?first=1&name=nobody", false),
                ("/departments?first=2", true), ("/departments?first=3", false),
                ("/departments/d005/employees?first=1", false), ("/titles?first=4", true), ("/titles?first=5", false),
            ] {
                for type in ["application/json", "application/x-ndjson", "text/csv"] {
                    let response = try await server.client.get(target, ["Accept": type])
                    #expect((response.next != nil) == hasMore, "\(target) as \(type)")
                    #expect((response["Link"] != nil) == hasMore, "\(target) as \(type)")
                }
            }
        }
    }

    @Test("The default page size is 100", arguments: TestBackend.available)
    func standard(backend: TestBackend) async throws {
        try await withServer(backend, data: .sample(120)) { server in
            let pages = try await server.client.pages("/employees")
            #expect(pages.map(\.count) == [100, 20])
        }
    }

    @Test("A cursor of another list and an invalid cursor are rejected")
    func foreignCursors() async throws {
        try await withServer(.sqlite) { server in
            let plain = try await Self.cursor(server, "")
            let sorted = try await Self.cursor(server, "&sort=lastName")
            let filtered = try await Self.cursor(server, "&name=*e*")
            let titles = try await Self.cursor(server, "", of: "titles")
            for (target, cursor) in [
                ("/employees?", sorted), ("/employees?", filtered), ("/employees?", titles), ("/titles?", plain),
                ("/salaries?", titles), ("/departments?", plain), ("/employees?sort=lastName&", plain),
                ("/employees?sort=-lastName&", sorted), ("/employees?sort=hireDate&", sorted),
                ("/employees?name=*f*&", filtered),
                ("/employees?name=*e*&", plain), ("/employees?department=d005&", plain),
                ("/departments/d005/employees?", plain),
                ("/employees?", ""), ("/employees?", "garbage"), ("/employees?", "10004"), ("/employees?", "%20"),
                ("/employees?", "W10"), ("/employees?", String(plain.dropLast())), ("/employees?", plain + "AAAA"),
                ("/employees?", "bnVsbA"), ("/employees?", String(repeating: "A", count: 2000)),
                ("/employees?", "%C3%A9"),
                ("/employees?", "===="),
            ] {
                for type in ["application/json", "text/csv"] {
                    let response = try await server.client.get("\(target)after=\(cursor)", ["Accept": type])
                    #expect(response.status == 400, "\(target)after=\(cursor)")
                    #expect(response.code == "invalid-cursor", "\(target)after=\(cursor)")
                    #expect(response.string("parameter") == "after", "\(target)after=\(cursor)")
                }
            }
            // Requests with another page size, other fields or another media type refer to the same list.
            for target in ["/employees?first=5&fields=gender&details=titles&", "/employees?"] {
                #expect(try await server.client.get("\(target)after=\(plain)").status == 200)
            }
        }
    }

    @Test(
        "If rows are inserted or deleted between requests, the next page repeats no employee and skips no employee",
        arguments: TestBackend.available)
    func changes(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let first = try await server.client.get("/employees?first=4")
            let next = try #require(first.next)
            // The last employee of the page is deleted, and another employee is inserted before the page.
            #expect(try await server.client.send(.DELETE, "/employees/20004").status == 204)
            let new =
                #"{"employeeNumber":1,"firstName":"A","lastName":"A","birthDate":"1970-01-01","gender":"M","hireDate":"1990-01-01"}"#
            #expect(try await server.client.send(.POST, "/employees", json: new).status == 201)
            let second = try await server.client.get(next)
            #expect(try second.array().map { $0["employeeNumber"] } == [20005, 20006, 20007, 20008])
        }
    }

    /// Returns the cursor of the first row of a list.
    private static func cursor(_ server: TestServer, _ query: String, of list: String = "employees") async throws
        -> String
    {
        let page = try await server.client.get("/\(list)?first=1\(query)")
        return try #require(page.next?.split(separator: "after=").last.map(String.init))
    }
}
