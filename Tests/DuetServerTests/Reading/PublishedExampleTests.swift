import DuetResultSetJSON
import NIOHTTP1
import TestSupport
import Testing

/// The response that the published article shows, and the remaining published data of the same employee.
@Suite("The published example") struct PublishedExampleTests {
    private static let head = #"{"employeeNumber":10004,"firstName":"Chirstian","lastName":"Koblick""#
    private static let titles =
        #""titles":[{"title":"Senior Engineer","fromDate":817794000000,"toDate":253370782800000},"#
        + #"{"title":"Engineer","fromDate":533797200000,"toDate":817794000000}]"#
    private static let salaries =
        #""salaries":[{"salary":74057,"fromDate":1006837200000,"toDate":253370782800000},"#
        + #"{"salary":70698,"fromDate":975301200000,"toDate":1006837200000},"#
        + #"{"salary":69722,"fromDate":943765200000,"toDate":975301200000},"#
        + #"{"salary":67096,"fromDate":912229200000,"toDate":943765200000},"#
        + #"{"salary":64340,"fromDate":880693200000,"toDate":912229200000},"#
        + #"{"salary":62566,"fromDate":849157200000,"toDate":880693200000},"#
        + #"{"salary":60770,"fromDate":817621200000,"toDate":849157200000},"#
        + #"{"salary":58326,"fromDate":786085200000,"toDate":817621200000},"#
        + #"{"salary":54693,"fromDate":754549200000,"toDate":786085200000},"#
        + #"{"salary":52119,"fromDate":723013200000,"toDate":754549200000},"#
        + #"{"salary":50594,"fromDate":691477200000,"toDate":723013200000},"#
        + #"{"salary":48271,"fromDate":659941200000,"toDate":691477200000},"#
        + #"{"salary":46065,"fromDate":628405200000,"toDate":659941200000},"#
        + #"{"salary":42542,"fromDate":596869200000,"toDate":628405200000},"#
        + #"{"salary":42283,"fromDate":565333200000,"toDate":596869200000},"#
        + #"{"salary":40054,"fromDate":533797200000,"toDate":565333200000}]"#

    @Test("The response equals the published example exactly", arguments: TestBackend.available)
    func exactly(backend: TestBackend) async throws {
        try await withServer(backend, data: .sample(20)) { server in
            let plain = try await server.client.get("/employees/10004")
            #expect(plain.status == 200)
            #expect(plain["Content-Type"] == "application/json")
            #expect(plain.text == Self.head + "}")
            let both = try await server.client.get("/employees/10004?details=titles&details=salaries")
            #expect(both.text == Self.head + "," + Self.titles + "," + Self.salaries + "}")
            let page = try await server.client.get(
                "/employees?first=1&after=\(try await Self.cursor(server))&details=titles")
            #expect(page.text == "[" + Self.head + "," + Self.titles + "}]")
        }
    }

    @Test(
        "Dates in the published example are ISO 8601 texts if the encoding selects ISO dates",
        arguments: TestBackend.available)
    func textDates(backend: TestBackend) async throws {
        try await withServer(backend, data: .sample(20), encoding: ValueEncoding(dates: .iso)) { server in
            let both = try await server.client.get("/employees/10004?details=titles&fields=lastName,hireDate,birthDate")
            #expect(
                both.text == #"{"lastName":"Koblick","hireDate":"1986-12-01","birthDate":"1954-05-01","titles":"#
                    + #"[{"title":"Senior Engineer","fromDate":"1995-12-01","toDate":"9999-01-01"},"#
                    + #"{"title":"Engineer","fromDate":"1986-12-01","toDate":"1995-12-01"}]}"#)
            let csv = try await server.client.get("/employees/10004/titles", ["Accept": "text/csv"])
            #expect(
                csv.text == "title,fromDate,toDate\r\nSenior Engineer,1995-12-01,9999-01-01\r\n"
                    + "Engineer,1986-12-01,1995-12-01\r\n")
        }
    }

    /// Returns the cursor of a page that ends with employee 10003.
    private static func cursor(_ server: TestServer) async throws -> String {
        let page = try await server.client.get("/employees?first=3")
        return try #require(page.next?.split(separator: "after=").last.map(String.init))
    }
}
