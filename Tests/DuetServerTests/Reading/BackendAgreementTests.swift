import NIOHTTP1
import Synchronization
import TestSupport
import Testing

/// Each request must have equal responses on SQLite and MariaDB, byte for byte.
@Suite("Backends") struct BackendAgreementTests {
    private static let requests: [(target: String, accept: String)] = [
        ("/employees", "*/*"), ("/employees?first=1000&details=titles,salaries,departments", "*/*"),
        ("/employees?first=7&sort=lastName", "*/*"), ("/employees?first=1000&sort=-lastName", "*/*"),
        ("/employees?first=1000&sort=hireDate&fields=hireDate,birthDate,gender", "*/*"),
        ("/employees?first=1000&sort=-birthDate&details=salaries", "*/*"), ("/employees?name=*a*&first=1000", "*/*"),
        ("/employees?name=*%25*&details=titles", "*/*"), ("/employees?name=Z*", "*/*"), ("/employees?name=z*", "*/*"),
        ("/employees?department=d005&hiredAfter=1990-01-01", "*/*"), ("/employees?hiredBefore=1986-01-01", "*/*"),
        ("/employees/10004?details=titles&details=salaries", "*/*"), ("/employees/20001?details=titles", "*/*"),
        ("/employees/20010", "*/*"), ("/employees/20001/titles", "text/csv"), ("/employees/20002/departments", "*/*"),
        ("/employees/20003/salaries", "application/x-ndjson"), ("/employees/20002/departments/d009", "*/*"),
        ("/employees/99", "*/*"), ("/employees/99/titles", "*/*"), ("/departments", "*/*"),
        ("/departments", "text/csv"),
        ("/departments?details=managers", "*/*"), ("/departments/d005?details=managers", "*/*"),
        ("/departments/d009/employees?first=1000&details=departments", "*/*"), ("/departments/none", "*/*"),
        ("/titles?first=1000", "*/*"), ("/titles", "text/csv"), ("/salaries?first=500", "*/*"),
        ("/salaries", "application/x-ndjson"),
        ("/employees?details=titles,salaries,departments", "application/x-ndjson"),
        ("/employees?sort=-hireDate", "text/csv"), ("/employees?details=all", "*/*"), ("/employees?after=x", "*/*"),
    ]

    @Test(
        "The responses of SQLite and MariaDB are equal, including entity tags and links",
        .enabled(if: TestBackend.available.count > 1))
    func agreement() async throws {
        let sqlite = try await Self.answers(.sqlite)
        let mariaDB = try await Self.answers(.mariaDB)
        for ((request, left), right) in zip(zip(Self.requests, sqlite), mariaDB) {
            #expect(left.status == right.status, "\(request)")
            #expect(left.body == right.body, "\(request)")
            for name in ["ETag", "Link", "Content-Type", "Cache-Control", "Vary"] {
                #expect(left[name] == right[name], "\(request): \(name)")
            }
        }
    }

    private static func answers(_ backend: TestBackend) async throws -> [TestResponse] {
        let answers = Mutex<[TestResponse]>([])
        try await withServer(backend, data: .sampleAndCrew(120)) { server in
            for (target, accept) in requests {
                let headers: HTTPHeaders = ["Accept": accept, "X-Request-ID": "the-same"]
                let response = try await server.client.get(target, headers)
                answers.withLock { $0.append(response) }
            }
        }
        return answers.withLock { $0 }
    }
}
