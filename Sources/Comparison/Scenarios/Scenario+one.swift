import DuetJSON

/// Tasks about one employee.
extension Scenario {
    private static let name = ["firstName", "lastName"]
    private static let period = ["fromDate", "toDate"]
    /// All of an employee's own fields: what a server without sparse fields sends.
    private static let whole = "employeeNumber,firstName,lastName,birthDate,gender,hireDate"

    static let names = Scenario(
        "names", "Show the name of one employee.",
        resources: Asking(.get("/employees/10004")) { try $0.picking(name) },
        sparse: Asking(.get("/employees/10004?fields=firstName,lastName")) { try $0.picking(name) },
        graphQL: Asking(
            Operation(
                """
                query Names {
                  employee(id: 10004) {
                    firstName
                    lastName
                  }
                }
                """)
        ) { try $0.at("data", "employee") })

    /// The example that HTTP-RPC is published with.
    static let publishedExample = Scenario(
        "published-example", "Show one employee with every title and every salary they have had.",
        resources: Asking([
            .get("/employees/10004"), .get("/employees/10004/titles"), .get("/employees/10004/salaries"),
        ]) { answers in
            guard answers.count == 3, case .object(var employee) = answers[0].body else {
                throw UnexpectedAnswer("there is no employee")
            }
            employee["titles"] = answers[1].body
            employee["salaries"] = answers[2].body
            return .object(employee)
        },
        composite: Asking(.get("/employees/10004?details=titles&details=salaries")) { $0 },
        graphQL: Asking(
            Operation(
                """
                query PublishedExample {
                  employee(id: 10004) {
                    employeeNumber
                    firstName
                    lastName
                    titles {
                      title
                      fromDate
                      toDate
                    }
                    salaries {
                      salary
                      fromDate
                      toDate
                    }
                  }
                }
                """)
        ) { try $0.at("data", "employee") })

    /// Few fields of many.
    static let badge = Scenario(
        "badge", "Show three of many fields: last name, present title, present department.",
        resources: Asking([
            .get("/employees/10004?fields=\(whole)"), .get("/employees/10004/titles"),
            .get("/employees/10004/departments"),
        ]) { answers in
            guard answers.count == 3 else { throw UnexpectedAnswer("an answer is missing") }
            return try badge(answers[0].body, titles: answers[1].body, departments: answers[2].body)
        },
        composite: Asking(
            .get(
                "/employees/10004?fields=\(whole)&details=titles,departments&titles.current=true&departments.current=true"
            )
        ) { try badge($0, titles: $0.member("titles"), departments: $0.member("departments")) },
        sparse: Asking(
            .get(
                "/employees/10004?fields=lastName&details=titles,departments&titles.current=true&titles.fields=title"
                    + "&departments.current=true&departments.fields=departmentName")
        ) { $0 },
        graphQL: Asking(
            Operation(
                """
                query Badge {
                  employee(id: 10004) {
                    lastName
                    titles(current: true) {
                      title
                    }
                    departments(current: true) {
                      departmentName
                    }
                  }
                }
                """)
        ) { body in
            let employee = try body.at("data", "employee")
            return [
                "lastName": try employee.member("lastName"), "titles": try employee.member("titles"),
                "departments": try employee.member("departments"),
            ]
        })

    private static func badge(_ employee: JSONValue, titles: JSONValue, departments: JSONValue) throws -> JSONValue {
        [
            "lastName": try employee.member("lastName"),
            "titles": try .array(titles.elements().filter(\.isOpen).map { try $0.picking(["title"]) }),
            "departments": try .array(
                departments.elements().filter(\.isOpen).map { try $0.picking(["departmentName"]) }),
        ]
    }

    static let write = Scenario(
        "write", "Change an employee's last name and show what is stored.",
        resources: Asking(
            rounds: { answers in
                switch answers.count {
                case 0: [Request(method: .patch, target: "/employees/10050", body: renaming)]
                case 1: [.get("/employees/10050")]
                default: []
                }
            },
            result: { try ($0.last?.first?.body ?? .null).picking(name) }),
        composite: Asking(Request(method: .patch, target: "/employees/10050", body: renaming)) {
            try $0.picking(name)
        },
        sparse: Asking(
            Request(
                method: .patch, target: "/employees/10050?fields=firstName,lastName",
                body: renaming)
        ) { try $0.picking(name) },
        graphQL: Asking(
            Operation(
                """
                mutation Rename($input: UpdateEmployeeInput!) {
                  updateEmployee(input: $input) {
                    employee {
                      firstName
                      lastName
                    }
                    errors {
                      message
                    }
                  }
                }
                """, ["input": ["id": "10050", "lastName": .string(newName)]])
        ) { try $0.at("data", "updateEmployee", "employee") },
        written: Written(
            value: newName, target: "/employees/10050?fields=lastName", stored: ["lastName": .string(newName)]))

    private static let newName = "Marchetti"
    private static let renaming = (["lastName": .string(newName)] as JSONValue).compact

    static let unknown = Scenario(
        "unknown", "Ask for an employee who does not exist, and learn just that.",
        resources: Asking(.get("/employees/999999", expecting: 404)) { problem in
            guard try problem.member("status") == 404 else { throw UnexpectedAnswer("this is another problem") }
            return .null
        },
        graphQL: Asking(
            Operation(
                """
                query Unknown {
                  employee(id: 999999) {
                    firstName
                    lastName
                  }
                }
                """)
        ) { try $0.at("data", "employee") })
}

extension JSONValue {
    /// Whether a period goes on: its end is open, or in the year 9999, as a day or in milliseconds.
    var isOpen: Bool {
        switch self["toDate"] {
        case .null?: true
        case .string(let day)?: day.hasPrefix("9999-")
        case .integer(let milliseconds)?: milliseconds > 253_370_000_000_000
        default: false
        }
    }
}
