import DuetJSON

/// Tasks about many employees.
extension Scenario {
    private static let row = ["employeeNumber", "firstName", "lastName"]

    static let list = Scenario(
        "list", "List a hundred employees with their names.",
        resources: Asking(.get("/employees?first=100")) { try $0.eachPicking(row) },
        sparse: Asking(.get("/employees?first=100&fields=employeeNumber,firstName,lastName")) { $0 },
        graphQL: Asking(
            Operation(
                """
                query List {
                  employees(first: 100) {
                    nodes {
                      employeeNumber
                      firstName
                      lastName
                    }
                  }
                }
                """)
        ) { try $0.at("data", "employees", "nodes") })

    static let listWithHistories = Scenario(
        "list-with-histories", "List a hundred employees with every title and every salary they have had.",
        resources: Asking(
            rounds: { answers in
                guard let list = answers.first?.first else { return [.get("/employees?first=100")] }
                guard answers.count == 1 else { return [] }
                return try list.body.elements().flatMap { employee -> [Request] in
                    let number = try employee.member("employeeNumber").string()
                    return [.get("/employees/\(number)/titles"), .get("/employees/\(number)/salaries")]
                }
            },
            result: { answers in
                guard answers.count == 2, let list = answers[0].first else {
                    throw UnexpectedAnswer("there is no list")
                }
                return .array(
                    try list.body.elements().enumerated().map { index, employee in
                        guard case .object(var whole) = try employee.picking(row) else { return employee }
                        whole["titles"] = answers[1][2 * index].body
                        whole["salaries"] = answers[1][2 * index + 1].body
                        return .object(whole)
                    })
            }),
        composite: Asking(.get("/employees?first=100&details=titles&details=salaries")) { $0 },
        sparse: Asking(
            .get("/employees?first=100&fields=employeeNumber,firstName,lastName&details=titles&details=salaries")
        ) { $0 },
        graphQL: Asking(
            Operation(
                """
                query ListWithHistories {
                  employees(first: 100) {
                    nodes {
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
                }
                """)
        ) { try $0.at("data", "employees", "nodes") })

    static let threeLevels = Scenario(
        "three-levels", "Show every department with ten of its people and what they are paid now.",
        resources: Asking(
            rounds: { answers in
                switch answers.count {
                case 0: [.get("/departments")]
                case 1:
                    try answers[0][0].body.elements().map {
                        .get("/departments/\(try $0.member("departmentNumber").string())/employees?first=10")
                    }
                case 2:
                    try answers[1].flatMap { try $0.body.elements() }.map {
                        .get("/employees/\(try $0.member("employeeNumber").string())/salaries")
                    }
                default: []
                }
            },
            result: { answers in
                guard answers.count == 3 else { throw UnexpectedAnswer("an answer is missing") }
                var salaries = answers[2].map(\.body)[...]
                return try departments(answers[0][0].body, people: answers[1].map(\.body)) { _ in
                    salaries.popFirst() ?? .null
                }
            }),
        composite: Asking(
            .get("/departments?details=employees.salaries&employees.first=10&employees.salaries.current=true")
        ) { body in
            .array(
                try body.elements().map { department in
                    [
                        "departmentName": try department.member("departmentName"),
                        "employees": .array(
                            try department.member("employees").elements().map { person in
                                [
                                    "firstName": try person.member("firstName"),
                                    "lastName": try person.member("lastName"),
                                    "salaries": try person.member("salaries").eachPicking(["salary"]),
                                ]
                            }),
                    ]
                })
        },
        sparse: Asking(
            .get(
                "/departments?fields=departmentName&details=employees.salaries&employees.first=10"
                    + "&employees.fields=firstName,lastName&employees.salaries.current=true&employees.salaries.fields=salary"
            )
        ) { $0 },
        graphQL: Asking(
            Operation(
                """
                query ThreeLevels {
                  departments {
                    departmentName
                    employees(first: 10) {
                      nodes {
                        firstName
                        lastName
                        salaries(current: true) {
                          salary
                        }
                      }
                    }
                  }
                }
                """)
        ) { body in
            .array(
                try body.at("data", "departments").elements().map { department in
                    [
                        "departmentName": try department.member("departmentName"),
                        "employees": try department.at("employees", "nodes"),
                    ]
                })
        })

    private static func departments(
        _ departments: JSONValue, people: [JSONValue], salaries: (JSONValue) throws -> JSONValue
    ) throws -> JSONValue {
        .array(
            try zip(departments.elements(), people).map { department, people in
                [
                    "departmentName": try department.member("departmentName"),
                    "employees": .array(
                        try people.elements().map { person in
                            [
                                "firstName": try person.member("firstName"), "lastName": try person.member("lastName"),
                                "salaries": .array(
                                    try salaries(person).elements().filter(\.isOpen).map { try $0.picking(["salary"]) }),
                            ]
                        }),
                ]
            })
    }

    static let pages = Scenario(
        "pages", "Walk through the first 10,000 employees, a hundred at a time.",
        resources: .pages(from: .get("/employees?first=100"), limit: 100, next: nextPage) {
            try $0.body.eachPicking(row).elements()
        },
        sparse: .pages(
            from: .get("/employees?first=100&fields=employeeNumber,firstName,lastName"), limit: 100, next: nextPage
        ) { try $0.body.elements() },
        graphQL: connection(
            """
            query Pages($after: String) {
              employees(first: 100, after: $after) {
                nodes {
                  employeeNumber
                  firstName
                  lastName
                }
                pageInfo {
                  hasNextPage
                  endCursor
                }
              }
            }
            """, limit: 100))

    @Sendable private static func nextPage(_ answer: Answer) -> Request? { answer.next.map { .get($0) } }

    /// Every page of a connection `employees` with the variable `$after`.
    private static func connection(_ document: String, limit: Int = .max) -> Asking<Operation> {
        .pages(from: Operation(document), limit: limit) { answer in
            let page = try answer.body.at("data", "employees", "pageInfo")
            guard try page.member("hasNextPage") == true else { return nil }
            return Operation(document, ["after": try page.member("endCursor")])
        } rows: {
            try $0.body.at("data", "employees", "nodes").elements()
        }
    }

    static let search = Scenario(
        "search", "Find the first twenty whose names begin with \"Ge\", hired after 1990, newest first.",
        resources: Asking(.get("/employees?name=Ge*&hiredAfter=1990-01-01&sort=-hireDate&first=20")) {
            try $0.eachPicking(row)
        },
        sparse: Asking(
            .get(
                "/employees?name=Ge*&hiredAfter=1990-01-01&sort=-hireDate&first=20&fields=employeeNumber,firstName,lastName"
            )
        ) { $0 },
        graphQL: Asking(
            Operation(
                """
                query Search($filter: EmployeeFilter!) {
                  employees(
                    first: 20
                    filter: $filter
                    sort: { field: HIRE_DATE, direction: DESCENDING }
                  ) {
                    nodes {
                      employeeNumber
                      firstName
                      lastName
                    }
                  }
                }
                """, ["filter": ["name": "Ge*", "hiredAfter": "1990-01-01"]])
        ) { try $0.at("data", "employees", "nodes") })

    private static let hired = ["employeeNumber", "hireDate"]

    static let report = Scenario(
        "report", "Make a report over a whole table: when everybody was hired.",
        resources: .pages(
            from: .get("/employees?first=1000&fields=employeeNumber,firstName,lastName,birthDate,gender,hireDate"),
            next: nextPage
        ) { try $0.body.eachPicking(hired).elements() },
        sparse: .pages(from: .get("/employees?first=1000&fields=employeeNumber,hireDate"), next: nextPage) {
            try $0.body.elements()
        },
        export: Asking(.get("/employees?fields=employeeNumber,hireDate", accept: "application/x-ndjson")) { $0 },
        graphQL: connection(
            """
            query Report($after: String) {
              employees(first: 1000, after: $after) {
                nodes {
                  employeeNumber
                  hireDate
                }
                pageInfo {
                  hasNextPage
                  endCursor
                }
              }
            }
            """))
}
