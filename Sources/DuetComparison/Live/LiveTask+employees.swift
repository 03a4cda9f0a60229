import DuetJSON

extension LiveTask {
    /// The screen of the employees sample: twenty employees with their current titles. Another program changes last
    /// names.
    package static var employees: LiveTask {
        get throws {
            let request: JSONValue =
                "GET /employees?first=20&fields=employeeNumber,firstName,lastName&details=titles&titles.current=true&titles.fields=title"
            let task: JSONValue = [
                "name": .string(LiveReport.name),
                "sentence": "Watch twenty employees with their current titles.",
                "rest": [request],
                "graphql": [
                    "query Screen {",
                    "  employees(first: 20) {",
                    "    nodes {",
                    "      employeeNumber",
                    "      firstName",
                    "      lastName",
                    "      titles(current: true) {",
                    "        title",
                    "      }",
                    "    }",
                    "  }",
                    "}",
                ],
                "pick": ["employeeNumber", "firstName", "lastName", ["titles": ["title"]]],
            ]
            let toggles = [10_004, 10_009, 10_013, 10_018].map { number in
                func write(_ name: String) -> Request {
                    .writing(
                        .patch, "/employees/\(number)?fields=lastName", ["lastName": .string(name)], expecting: 200)
                }
                return Toggle(on: write("Marchetti"), off: write("Lindqvist"))
            }
            return try LiveTask(try Scenario.tasks(in: [task])[0], candidates: toggles)
        }
    }
}
