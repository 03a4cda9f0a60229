import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Introspected employees database")
    struct IntrospectedEmployeesTests {
        /// REST requests to Duet's own API of employees, with the equivalent requests to the introspected API.
        private static let requests = [
            (
                "/employees?first=1000&fields=employeeNumber,birthDate,firstName,lastName,gender,hireDate",
                "/employees?first=1000&fields=empNo,birthDate,firstName,lastName,gender,hireDate"
            ),
            (
                "/titles?first=1000&fields=employeeNumber,title,fromDate,toDate&sort=fromDate,title",
                "/titles?first=1000&fields=empNo,title,fromDate,toDate&sort=fromDate,title"
            ),
            (
                "/salaries?first=1000&fields=employeeNumber,salary,fromDate,toDate&sort=fromDate,salary",
                "/salaries?first=1000&fields=empNo,salary,fromDate,toDate&sort=fromDate,salary"
            ),
            ("/departments?fields=departmentNumber,departmentName", "/departments?fields=deptNo,deptName"),
            (
                "/employees?first=50&fields=lastName&details=titles,salaries&titles.fields=title&titles.sort=fromDate,title&salaries.fields=salary&salaries.sort=fromDate",
                "/employees?first=50&fields=lastName&details=titles,salaries&titles.fields=title&titles.sort=fromDate,title&salaries.fields=salary&salaries.sort=fromDate"
            ),
            (
                "/employees/10004?fields=hireDate&details=departments&departments.fields=fromDate,toDate",
                "/employees/10004?fields=hireDate&details=deptEmps&deptEmps.fields=fromDate,toDate"
            ),
        ]

        /// GraphQL documents for Duet's own API of employees, with the equivalents for the introspected API.
        private static let documents = [
            (
                "{ employees(first: 50) { nodes { lastName titles(orderBy: {field: FROM_DATE}) { title toDate } } } }",
                "{ employees(first: 50) { nodes { lastName titles(orderBy: {field: FROM_DATE}) { nodes { title toDate } } } } }"
            ),
            (
                #"{ departments { departmentName } employee(id: "10004") { gender } }"#,
                #"{ departments { nodes { deptName } } employee(id: "10004") { gender } }"#
            ),
        ]

        /// Returns the scalars in a JSON value in order, without the names of the members.
        private static func scalars(_ value: JSONValue) -> [JSONValue] {
            switch value {
            case .array(let elements): elements.flatMap(scalars)
            case .object(let object): object.members.map(\.value).flatMap(scalars)
            default: [value]
            }
        }

        private static func values(_ document: String, _ server: Server) async throws -> [JSONValue] {
            let body = JSONValue.object(JSONObject([("query", .string(document))])).compactText
            let answer = try await server.send("POST", "/graphql", body: body)
            let json = try answer.json
            #expect(json["errors"] == nil, "\(answer.body)")
            return scalars(json)
        }

        @Test(
            "The introspected API returns the same values over REST and GraphQL as Duet's own API",
            arguments: TestBackend.available)
        func values(_ backend: TestBackend) async throws {
            try await TestDatabase.with(backend, schema: false) { database in
                try await TemporaryFolder.with { folder in
                    let environment = ["DUET_DATABASE": database.url.text]
                    try await SampleDatabase.fill(database.url.text, employees: 60, in: folder)
                    let introspected = try await Program.run(["introspect"], in: folder, environment: environment)
                    try Data(introspected.output.utf8).write(to: folder.appending(path: "api.yaml"))
                    try await Server.with(["--dates", "iso"], in: folder, environment: environment) { own in
                        try await Server.with(["--api", "api.yaml"], in: folder, environment: environment) { other in
                            for (request, same) in Self.requests {
                                let (expected, found) = (try await own.get(request), try await other.get(same))
                                #expect(expected.status == 200 && found.status == 200, "\(expected.body) \(found.body)")
                                let values = Self.scalars(try found.json)
                                #expect(values == Self.scalars(try expected.json) && values.count > 2, "\(same)")
                            }
                            for (document, same) in Self.documents {
                                let (expected, found) = (
                                    try await Self.values(document, own), try await Self.values(same, other)
                                )
                                #expect(found == expected && !found.isEmpty, "\(same)")
                            }
                        }
                    }
                }
            }
        }
    }
}
