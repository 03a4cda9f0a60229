import DuetJSON
import NIOHTTP1
import TestSupport
import Testing

@Suite("GraphQL mutations") struct GraphQLWriteTests {
    @Test(
        "Mutations create, change and delete an employee, and each payload shows the state after the mutation",
        arguments: TestBackend.available)
    func employee(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let made = try await server.client.graphQL(
                """
                mutation Make($input: CreateEmployeeInput!) { createEmployee(input: $input) {
                  __typename employee { id hireDate titles { title } } again: employee { fullName: lastName } errors { message } } }
                """,
                [
                    "input": [
                        "firstName": "Ada", "lastName": "O'Hara", "birthDate": "1960-01-01", "gender": "F",
                        "hireDate": 633_934_800_000, "employeeNumber": nil,
                    ]
                ])
            #expect(
                made.text
                    == #"{"data":{"createEmployee":{"__typename":"EmployeePayload","employee":{"id":"20013","#
                    + #""hireDate":633934800000,"titles":[]},"again":{"fullName":"O'Hara"},"errors":[]}}}"#)
            let changed = try await server.client.graphQL(
                #"mutation { updateEmployee(input: {id: 20013, lastName: "Hara", gender: M}) { employee { lastName firstName gender } errors { message } } }"#
            )
            #expect(
                changed.text
                    == #"{"data":{"updateEmployee":{"employee":{"lastName":"Hara","firstName":"Ada","gender":"M"},"errors":[]}}}"#
            )
            #expect(
                try await server.client.get("/employees/20013").text
                    == #"{"employeeNumber":20013,"firstName":"Ada","lastName":"Hara"}"#)
            let removed = try await server.client.graphQL(
                #"mutation { deleteEmployee(input: {id: "020013"}) { gone: deletedId errors { message } } }"#)
            #expect(removed.text == #"{"data":{"deleteEmployee":{"gone":"20013","errors":[]}}}"#)
            #expect(try await server.client.get("/employees/20013").status == 404)
        }
    }

    @Test("A number with a zero fraction is valid for Int and Date in a variable, but not in the GraphQL document")
    func wholeNumbers() async throws {
        try await withServer(.sqlite) { server in
            let mutation =
                "mutation Add($input: AddSalaryInput!) { addSalary(input: $input) { employee { salaries { salary fromDate } } } }"
            let body = #"{"input":{"employeeId":20012,"salary":50000.0,"fromDate":817794000000.0}}"#
            let added = try await server.client.graphQL(mutation, JSONValue(parsing: body.utf8))
            #expect(
                try added.data()["addSalary"]?["employee"]?["salaries"]?.compactText
                    == #"[{"salary":50000,"fromDate":817794000000}]"#)
            for (field, input) in [
                ("Int", #"salary: 50000.0, fromDate: "2001-01-01""#), ("Date", "salary: 1, fromDate: 978325200000.0"),
            ] {
                let refused = try await server.client.graphQL(
                    "mutation { addSalary(input: {employeeId: 20012, \(input)}) { errors { message } } }")
                #expect(refused.messages.first?.hasPrefix("\(field) cannot represent") == true, "\(refused.text)")
            }
        }
    }

    @Test("A mutation that adds a period ends the previous period, as over REST", arguments: TestBackend.available)
    func periods(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let response = try await server.client.graphQL(
                """
                mutation {
                  addTitle(input: {employeeId: 20001, title: "Chief", fromDate: "2000-01-01"}) {
                    employee { titles { title toDate } } errors { message } }
                  addSalary(input: {employeeId: 20001, salary: 50000, fromDate: 1022904000000, toDate: null}) {
                    employee { salaries(first: 2) { salary toDate } } errors { message } }
                  assignDepartment(input: {employeeId: 20001, departmentId: "d009", fromDate: "2001-01-01"}) {
                    employee { departments { departmentNumber toDate } } errors { message } }
                  again: assignDepartment(input: {employeeId: 20001, departmentId: "d009", fromDate: "2002-01-01"}) {
                    employee { departments(current: true) { departmentNumber fromDate } } errors { message } }
                }
                """)
            let data = try response.data()
            #expect(
                data["addTitle"]?["employee"]?["titles"]?.compactText
                    == #"[{"title":"Chief","toDate":253370782800000},{"title":"Senior Engineer","toDate":946702800000},"#
                    + #"{"title":"Engineer","toDate":817794000000}]"#)
            #expect(
                data["addSalary"]?["employee"]?["salaries"]?.compactText
                    == #"[{"salary":50000,"toDate":253370782800000},{"salary":41000,"toDate":1022904000000}]"#)
            #expect(
                data["assignDepartment"]?["employee"]?["departments"]?.compactText
                    == #"[{"departmentNumber":"d009","toDate":253370782800000},{"departmentNumber":"d005","toDate":978325200000}]"#
            )
            #expect(
                data["again"]?["employee"]?["departments"]?.compactText
                    == #"[{"departmentNumber":"d009","fromDate":1009861200000}]"#)
            let rest = try await server.client.get(
                "/employees/20001?fields=employeeNumber&details=titles,salaries,departments")
            let graphQL = try await server.client.graphQL(
                "{ employee(id: 20001) { employeeNumber titles { title fromDate toDate } salaries { salary fromDate toDate } departments { departmentNumber departmentName fromDate toDate } } }"
            )
            #expect(graphQL.text == #"{"data":{"employee":\#(rest.text)}}"#)
        }
    }

    @Test("A failed mutation has a typed error in its payload, and changes nothing", arguments: TestBackend.available)
    func userErrors(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let before = try await server.client.get("/employees?first=1000&details=titles,salaries,departments").text
            for (field, type, path, key) in [
                (
                    #"createEmployee(input: {employeeNumber: 20001, firstName: "A", lastName: "B", birthDate: "1960-01-01", gender: F, hireDate: "1990-01-01"})"#,
                    "ConflictError", "null", #""employeeNumber""#
                ),
                (
                    #"createEmployee(input: {firstName: "", lastName: "B", birthDate: "1960-01-01", gender: F, hireDate: "1990-01-01"})"#,
                    "InvalidInputError", #"["input","firstName"]"#, nil
                ),
                (
                    #"createEmployee(input: {firstName: "A", lastName: "B", birthDate: "1990-01-01", gender: F, hireDate: "1960-01-01"})"#,
                    "InvalidInputError", #"["input","hireDate"]"#, nil
                ),
                (#"updateEmployee(input: {id: 77, firstName: "A"})"#, "NotFoundError", #"["input","id"]"#, nil),
                (#"updateEmployee(input: {id: "x", firstName: "A"})"#, "InvalidInputError", #"["input","id"]"#, nil),
                (
                    #"updateEmployee(input: {id: 20001, firstName: null})"#, "InvalidInputError",
                    #"["input","firstName"]"#, nil
                ),
                (
                    #"updateEmployee(input: {id: 20001, hireDate: "1950-01-01"})"#, "InvalidInputError",
                    #"["input","hireDate"]"#, nil
                ),
                (
                    #"addTitle(input: {employeeId: 20001, title: "Engineer", fromDate: "1990-05-05"})"#,
                    "ConflictError", "null",
                    #""title and fromDate""#
                ),
                (
                    #"addTitle(input: {employeeId: 1, title: "Engineer", fromDate: "1990-05-05"})"#, "NotFoundError",
                    #"["input","employeeId"]"#, nil
                ),
                (
                    #"addSalary(input: {employeeId: 20001, salary: 0, fromDate: "1990-05-05"})"#, "InvalidInputError",
                    #"["input","salary"]"#, nil
                ),
                (
                    #"addSalary(input: {employeeId: 20001, salary: 1, fromDate: "1990-05-05", toDate: "1980-01-01"})"#,
                    "InvalidInputError", #"["input","toDate"]"#, nil
                ),
                (
                    #"assignDepartment(input: {employeeId: 20001, departmentId: "zz", fromDate: "1990-05-05"})"#,
                    "NotFoundError",
                    #"["input","departmentId"]"#, nil
                ),
                (
                    #"assignDepartment(input: {employeeId: 20001, departmentId: "-", fromDate: "1990-05-05"})"#,
                    "InvalidInputError",
                    #"["input","departmentId"]"#, nil
                ),
            ] {
                let response = try await server.client.graphQL(
                    "mutation { m: \(field) { employee { id } errors { type: __typename message field ... on ConflictError { key } } } }"
                )
                let payload = try response.data()["m"]
                guard case .array(let errors)? = payload?["errors"], let error = errors.first else {
                    Issue.record("\(field): \(response.text)")
                    continue
                }
                #expect(payload?["employee"] == .null)
                #expect(error["type"] == .string(type), "\(field): \(response.text)")
                #expect(error["field"]?.compactText == path, "\(field): \(response.text)")
                #expect(error["key"]?.compactText == key, "\(field): \(response.text)")
                if case .string(let message)? = error["message"] { #expect(!message.isEmpty) }
            }
            let several = try await server.client.graphQL(
                #"mutation { updateEmployee(input: {id: 20001, firstName: "", lastName: " ", birthDate: "0999-01-01"}) { __typename errors { __typename field } } }"#
            )
            #expect(
                several.text
                    == #"{"data":{"updateEmployee":{"__typename":"EmployeePayload","errors":["#
                    + #"{"__typename":"InvalidInputError","field":["input","firstName"]},"#
                    + #"{"__typename":"InvalidInputError","field":["input","lastName"]},"#
                    + #"{"__typename":"InvalidInputError","field":["input","birthDate"]}]}}}"#)
            let gone = try await server.client.graphQL(
                "mutation { deleteEmployee(input: {id: 77}) { deletedId errors { __typename message } } }")
            #expect(
                gone.text
                    == #"{"data":{"deleteEmployee":{"deletedId":null,"errors":[{"__typename":"NotFoundError","message":"there is no employee 77"}]}}}"#
            )
            #expect(
                try await server.client.get("/employees?first=1000&details=titles,salaries,departments").text == before)
        }
    }

    @Test(
        "The mutations of a request run serially, each in its own transaction",
        arguments: TestBackend.available)
    func serial(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let response = try await server.client.graphQL(
                """
                mutation {
                  a: addTitle(input: {employeeId: 20012, title: "One", fromDate: "9998-12-31"}) { employee { titles { title } } }
                  b: addTitle(input: {employeeId: 20012, title: "One", fromDate: "9998-12-31"}) { employee { id } errors { __typename } }
                  c: deleteEmployee(input: {id: 20012}) { deletedId }
                  d: addTitle(input: {employeeId: 20012, title: "Two", fromDate: "9998-12-31"}) { errors { __typename } }
                }
                """)
            #expect(
                response.text
                    == #"{"data":{"a":{"employee":{"titles":[{"title":"One"}]}},"#
                    + #""b":{"employee":null,"errors":[{"__typename":"ConflictError"}]},"c":{"deletedId":"20012"},"#
                    + #""d":{"errors":[{"__typename":"NotFoundError"}]}}}"#)
            #expect(response["Server-Timing"]?.contains("sql;dur=") == true)
        }
    }

    @Test("The response has the result of a mutation even if another mutation fails", arguments: TestBackend.available)
    func partial(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let response = try await server.client.graphQL(
                """
                mutation {
                  a: updateEmployee(input: {id: 20001, firstName: "Zed"}) { employee { firstName } }
                  b: addTitle(input: {employeeId: 20001, title: "x", fromDate: "2003-01-01"}) { employee { titles(first: 0) { title } } }
                }
                """)
            let body = try response.json()
            #expect(body["data"]?.compactText == #"{"a":{"employee":{"firstName":"Zed"}},"b":null}"#)
            #expect(response.codes == ["INVALID_PARAMETER"])
            // A mutation whose selected fields have an error writes nothing.
            let titles = try await server.client.get("/employees/20001/titles").array()
            #expect(titles.count == 2)
        }
    }
}
