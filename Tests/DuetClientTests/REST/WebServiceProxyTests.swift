import DuetClient
import DuetJSON
import Foundation
import HTTPTypes
import ProcessTesting
import Testing

@Suite("WebServiceProxy with the server", .server())
struct WebServiceProxyTests {
    private func service() throws -> WebServiceProxy { try WebServiceProxy(.shared) }

    @Test("The client decodes an employee, the titles of the employee, and the dates of the titles")
    func read() async throws {
        let employee: Employee = try await service().invoke(
            .get, "employees/\(10_004)", arguments: ["details": ["titles", "salaries"]])
        #expect(employee.firstName == "Chirstian")
        #expect(employee.lastName == "Koblick")
        #expect(employee.titles?.map(\.title) == ["Senior Engineer", "Engineer"])
        #expect(employee.titles?.first?.fromDate == Date(timeIntervalSince1970: 817_794_000))
        #expect(employee.titles?.first?.toDate == Date(timeIntervalSince1970: 253_370_782_800))
    }

    @Test("The client reads the pages of a list by following the `next` links")
    func pages() async throws {
        let service = try service()
        var page: WebServiceResponse<[Employee]> = try await service.invoke(
            .get, "employees", arguments: ["first": 7, "fields": ["employeeNumber", "firstName", "lastName"]])
        var numbers = page.content.map(\.employeeNumber)
        while numbers.count < 20, let next = page.link("next") {
            page = try await service.invoke(.get, ResourcePath(next))
            numbers += page.content.map(\.employeeNumber)
        }
        // Other tests create employees with greater numbers.
        #expect(numbers.prefix(20) == Array(10_001...10_020)[...])
    }

    @Test("A filter value with special characters is transmitted unchanged")
    func filter() async throws {
        let service = try service()
        let name = NewEmployee(firstName: "A+B &=?#/%é", lastName: "Filter")
        let made = try await service.makeEmployee(name)
        let found: [Employee] = try await service.invoke(.get, "employees", arguments: ["firstName": name.firstName])
        #expect(found.map(\.employeeNumber) == [made.employeeNumber])
    }

    @Test("A response handler reads CSV")
    func csv() async throws {
        let rows = try await service().invoke(
            .get, "employees", arguments: ["first": 2], accept: "text/csv"
        ) { response in
            #expect(response.head.headerFields[.contentType]?.hasPrefix("text/csv") == true)
            return String(decoding: response.content, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        }
        #expect(rows.count == 3)
        #expect(rows.first == "employeeNumber,firstName,lastName")
    }

    @Test("NDJSON can be read as a stream")
    func ndjson() async throws {
        let response = try await service().stream(.get, "employees", accept: "application/x-ndjson")
        var text = ""
        for try await part in response.content { text += String(decoding: part, as: UTF8.self) }
        #expect(text.split(separator: "\n").count >= 20)
    }

    @Test("An employee can be created, changed and removed. An outdated precondition is rejected")
    func write() async throws {
        let service = try service()
        let made: WebServiceResponse<Employee> = try await service.invoke(
            .post, "employees",
            arguments: ["fields": ["employeeNumber", "firstName", "lastName", "birthDate", "hireDate"]],
            content: .json(NewEmployee()))
        let number = made.content.employeeNumber
        #expect(made.head.status == .created)
        #expect(made.content.lastName == "Ångström")
        #expect(made.content.hireDate == NewEmployee().hireDate)

        let read: WebServiceResponse<Employee> = try await service.invoke(.get, "employees/\(number)")
        let changed: WebServiceResponse<Employee> = try await service.invoke(
            .patch, "employees/\(number)", content: .json(["lastName": "Peac"], type: "application/merge-patch+json"),
            precondition: read.unchanged)
        #expect(changed.content.lastName == "Peac")

        let error = await #expect(throws: WebServiceError.self) {
            try await service.invoke(.delete, "employees/\(number)", precondition: read.unchanged)
        }
        #expect(error?.status == .preconditionFailed)
        #expect(error?.problem?.type == "/problems/precondition-failed")

        try await service.invoke(.delete, "employees/\(number)", precondition: changed.unchanged)
        let gone = await #expect(throws: WebServiceError.self) { try await service.invoke(.get, "employees/\(number)") }
        #expect(gone?.status == .notFound)
    }

    @Test("`ifNoneMatchAny` prevents a second creation of a resource. A 304 response is an error with this status")
    func preconditions() async throws {
        let service = try service()
        let employee = try await service.makeEmployee()
        let path: ResourcePath = "employees/\(employee.employeeNumber)/departments/\("d005")"
        let period = ["fromDate": NewEmployee().hireDate]
        try await service.invoke(.put, path, content: .json(period), precondition: .ifNoneMatchAny)
        var error = await #expect(throws: WebServiceError.self) {
            try await service.invoke(.put, path, content: .json(period), precondition: .ifNoneMatchAny)
        }
        #expect(error?.status == .preconditionFailed)
        struct Assignment: Decodable, Sendable { let departmentNumber: String }
        let read: WebServiceResponse<Assignment> = try await service.invoke(.get, path)
        let tag = try #require(read.entityTag)
        error = await #expect(throws: WebServiceError.self) {
            try await service.invoke(.get, path, precondition: .ifNoneMatch(tag))
        }
        #expect(error?.status == .notModified)
    }

    @Test("The problem document for an invalid request names the invalid fields")
    func validation() async throws {
        let service = try service()
        let error = await #expect(throws: WebServiceError.self) {
            try await service.invoke(.post, "employees", content: .json(["firstName": "Anna", "gender": "X"]))
        }
        let problem = try #require(error?.problem)
        #expect(error?.status == .unprocessableContent)
        #expect(problem.status == 422)
        #expect(problem.title == "Validation failed")
        #expect(problem.extensions["code"] == "validation-failed")
        guard case .array(let faults)? = problem.extensions["errors"] else {
            Issue.record("The problem has no errors.")
            return
        }
        #expect(Set(faults.compactMap { $0["field"] }) == ["lastName", "birthDate", "gender", "hireDate"])
    }

    @Test("The error for a missing resource contains the problem document")
    func notFound() async throws {
        let service = try service()
        let error = await #expect(throws: WebServiceError.self) {
            let _: Employee = try await service.invoke(.get, "employees/1")
        }
        #expect(error?.status == .notFound)
        #expect(error?.problem?.detail == "there is no employee 1")
        #expect(
            error?.description
                == "The server responded to GET /employees/1 with 404 Not Found: Unknown employee: there is no employee 1"
        )
    }

    @Test("A response that lacks a member of the Swift type cannot be decoded")
    func undecodable() async throws {
        struct Car: Decodable, Sendable { let wheels: Int }
        let service = try service()
        let error = await #expect(throws: WebServiceError.self) {
            let _: Car = try await service.invoke(.get, "employees/10004")
        }
        #expect(error?.code == .undecodable)
        #expect(error?.place == .member("wheels"))
    }

    @Test("A request to a server that is not running is a transport error")
    func stopped() async throws {
        try await ReservedPort.with { port in
            let service = WebServiceProxy(baseURL: try #require(URL(string: "http://127.0.0.1:\(port)")))
            let error = await #expect(throws: WebServiceError.self) { try await service.invoke(.get, "employees") }
            #expect(error?.transportError?.code == .cannotConnect)
        }
    }
}
