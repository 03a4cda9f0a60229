import DuetJSON

/// A person at work: six screens, one after the other.
extension Scenario {
    static let journey = Scenario(
        "journey",
        "Go through six screens: departments, one department, its people, one of them with their history, who manages it, and a search.",
        resources: rest([
            [.get("/departments")], [.get("/departments/d005")], [.get("/departments/d005/employees?first=20")],
            [.get("/employees/10004"), .get("/employees/10004/titles"), .get("/employees/10004/salaries")],
            [.get("/departments/d005?details=managers")], [.get("/employees?name=Ge*&first=20")],
        ]) { screens in
            [
                try screens[2][0].eachPicking(people),
                try history(screens[3][0], titles: screens[3][1], salaries: screens[3][2]),
                try screens[4][0].member("managers").eachPicking(["lastName", "fromDate"]),
                try screens[5][0].eachPicking(people),
            ]
        },
        composite: rest(
            [
                [.get("/departments")], [.get("/departments/d005")], [.get("/departments/d005/employees?first=20")],
                [.get("/employees/10004?details=titles&details=salaries")],
                [.get("/departments/d005?details=managers")],
                [.get("/employees?name=Ge*&first=20")],
            ], bundled),
        sparse: rest(
            [
                [.get("/departments?fields=departmentNumber,departmentName")],
                [.get("/departments/d005?fields=departmentName")],
                [.get("/departments/d005/employees?first=20&fields=employeeNumber,lastName")],
                [.get("/employees/10004?fields=lastName&details=titles&details=salaries")],
                [.get("/departments/d005?fields=departmentName&details=managers")],
                [.get("/employees?name=Ge*&first=20&fields=employeeNumber,lastName")],
            ], bundled),
        graphQL: Asking(
            rounds: { answers in answers.count < operations.count ? [operations[answers.count]] : [] },
            result: { answers in
                let screens = try answers.map { try ($0.first?.body ?? .null).member("data") }
                return try result(
                    departments: screens[0].member("departments"), department: screens[1].member("department"),
                    [
                        screens[2].at("department", "employees", "nodes"), screens[3].member("employee"),
                        screens[4].at("department", "managers"), screens[5].at("employees", "nodes"),
                    ])
            }))

    private static let people = ["employeeNumber", "lastName"]

    /// Screens over REST; the last four of them are put together by `parts`.
    private static func rest(
        _ screens: [[Request]], _ parts: @escaping @Sendable ([[JSONValue]]) throws -> [JSONValue]
    ) -> Asking<Request> {
        Asking(
            rounds: { $0.count < screens.count ? screens[$0.count] : [] },
            result: { answers in
                let bodies = answers.map { $0.map(\.body) }
                return try result(
                    departments: bodies[0][0].eachPicking(["departmentNumber", "departmentName"]),
                    department: bodies[1][0].picking(["departmentName"]), parts(bodies))
            })
    }

    @Sendable private static func bundled(_ screens: [[JSONValue]]) throws -> [JSONValue] {
        let employee = screens[3][0]
        return [
            try screens[2][0].eachPicking(people),
            try history(employee, titles: employee.member("titles"), salaries: employee.member("salaries")),
            try screens[4][0].member("managers").eachPicking(["lastName", "fromDate"]),
            try screens[5][0].eachPicking(people),
        ]
    }

    private static func history(_ employee: JSONValue, titles: JSONValue, salaries: JSONValue) throws -> JSONValue {
        [
            "lastName": try employee.member("lastName"), "titles": try titles.eachPicking(["title", "fromDate"]),
            "salaries": try salaries.eachPicking(["salary", "fromDate"]),
        ]
    }

    private static func result(departments: JSONValue, department: JSONValue, _ parts: [JSONValue]) -> JSONValue {
        .array([departments, department] + parts)
    }

    private static let operations = [
        Operation(
            """
            query Departments {
              departments {
                departmentNumber
                departmentName
              }
            }
            """),
        Operation(
            """
            query Department($id: ID!) {
              department(id: $id) {
                departmentName
              }
            }
            """, ["id": "d005"]),
        Operation(
            """
            query People($id: ID!) {
              department(id: $id) {
                employees(first: 20) {
                  nodes {
                    employeeNumber
                    lastName
                  }
                }
              }
            }
            """, ["id": "d005"]),
        Operation(
            """
            query History($id: ID!) {
              employee(id: $id) {
                lastName
                titles {
                  title
                  fromDate
                }
                salaries {
                  salary
                  fromDate
                }
              }
            }
            """, ["id": "10004"]),
        Operation(
            """
            query Managers($id: ID!) {
              department(id: $id) {
                managers {
                  lastName
                  fromDate
                }
              }
            }
            """, ["id": "d005"]),
        Operation(
            """
            query Search($name: String!) {
              employees(first: 20, filter: { name: $name }) {
                nodes {
                  employeeNumber
                  lastName
                }
              }
            }
            """, ["name": "Ge*"]),
    ]
}
