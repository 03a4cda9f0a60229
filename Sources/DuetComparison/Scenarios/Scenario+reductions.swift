import DuetJSON

extension Scenario {
    /// Reduces the responses of a task to the values that the task needs. The result should be equal in all styles.
    ///
    /// The parameter `answers` contains one response for each REST round, each page of a list, and each GraphQL
    /// operation. Each GraphQL connection is replaced by the array of its nodes.
    /// - Throws: ``UnexpectedAnswer`` if a value is missing.
    typealias Reduction = @Sendable (_ answers: [JSONValue]) throws -> JSONValue

    private static let name = ["firstName", "lastName"]
    private static let person = ["employeeNumber", "firstName", "lastName"]

    /// The reductions by the name of the task.
    static let reductions: [String: Reduction] = [
        "names": last { try $0.picking(name) },
        "published-example": last { try $0.picking(person + ["titles", "salaries"]) },
        "badge": last { employee in
            [
                "lastName": try employee.member("lastName"),
                "titles": try employee.member("titles").presentRows(["title"]),
                "departments": try employee.member("departments").presentRows(["departmentName"]),
            ]
        },
        "list": rows(person),
        "list-with-histories": rows(person + ["titles", "salaries"]),
        "three-levels": last { departments in
            try departments.mapElements { department in
                [
                    "departmentName": try department.member("departmentName"),
                    "employees": try department.member("employees").mapElements { employee in
                        [
                            "firstName": try employee.member("firstName"),
                            "lastName": try employee.member("lastName"),
                            "salaries": try employee.member("salaries").presentRows(["salary"]),
                        ]
                    },
                ]
            }
        },
        "pages": rows(person),
        "search": rows(person),
        "report": rows(["employeeNumber", "hireDate"]),
        // The payload of the GraphQL mutation contains the employee. The REST response is the employee.
        "write": last { try ($0["employee"] ?? $0).picking(name) },
        "journey": journey,
        "unknown": last { $0 },
    ]

    /// Returns the reduction of a task whose last response contains all required values.
    private static func last(_ body: @escaping @Sendable (JSONValue) throws -> JSONValue) -> Reduction {
        { answers in
            guard let answer = answers.last else { throw UnexpectedAnswer("there is no response") }
            return try body(answer)
        }
    }

    /// Returns the reduction of a task whose responses are the pages of one list.
    private static func rows(_ names: [String]) -> Reduction {
        { pages in .array(try pages.flatMap { try $0.eachPicking(names).elements() }) }
    }

    /// Reduces the responses of the task that shows six consecutive screens.
    @Sendable private static func journey(_ screens: [JSONValue]) throws -> JSONValue {
        guard screens.count == 6 else { throw UnexpectedAnswer("there are \(screens.count) screens, not 6") }
        let people = ["employeeNumber", "lastName"]
        return [
            try screens[0].eachPicking(["departmentNumber", "departmentName"]),
            try screens[1].picking(["departmentName"]),
            // GraphQL returns the department with its employees. REST returns only the employees.
            try (screens[2]["employees"] ?? screens[2]).eachPicking(people),
            [
                "lastName": try screens[3].member("lastName"),
                "titles": try screens[3].member("titles").eachPicking(["title", "fromDate"]),
                "salaries": try screens[3].member("salaries").eachPicking(["salary", "fromDate"]),
            ],
            try screens[4].member("managers").eachPicking(["lastName", "fromDate"]),
            try screens[5].eachPicking(people),
        ]
    }
}

extension JSONValue {
    /// Returns the rows whose period has not ended, each reduced to the given members.
    fileprivate func presentRows(_ names: [String]) throws -> JSONValue {
        .array(try elements().filter(\.isPresent).map { try $0.picking(names) })
    }

    /// True if the period has not ended: its end is in the year 9999, as a date or in milliseconds. A row without an
    /// end date is also included, because the server has already selected it.
    private var isPresent: Bool {
        switch self["toDate"] {
        case .string(let day)?: day.hasPrefix("9999-")
        case .integer(let milliseconds)?: milliseconds > 253_370_000_000_000
        default: true
        }
    }
}
