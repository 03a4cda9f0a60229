import DuetJSON
import Testing

@testable import DuetComparison

@Suite("Task file of a comparison") struct TaskFileTests {
    private static let task = JSONObject([
        "name": "names", "sentence": "Show a name.", "rest": ["GET /employees/10004"],
        "graphql": ["query Names {", "  employee(id: 10004) { firstName }", "}"], "pick": ["firstName"],
    ])

    private func read(_ tasks: JSONObject...) throws -> [Scenario] {
        try TaskFileParser.scenarios(in: .array(tasks.map { .object($0) }))
    }

    @Test(
        "An empty line separates rounds of requests. A name in braces is a member of the rows of the previous round"
    )
    func rounds() throws {
        var task = Self.task
        task["rest"] = [
            "GET /employees", "", "GET /employees/{employeeNumber}/titles", "GET /employees/{employeeNumber}/salaries",
        ]
        let rounds = try #require(try read(task).first).rounds(of: .restResources)
        #expect(rounds.count == 2 && !rounds[0].isForEachRow)
        let rows: JSONValue = [["employeeNumber": 1], ["employeeNumber": 2]]
        #expect(
            try rounds[1].filled(from: [rows]).map(\.target)
                == ["/employees/1/titles", "/employees/1/salaries", "/employees/2/titles", "/employees/2/salaries"])
        #expect(throws: UnexpectedAnswer.self) { try rounds[1].filled(from: [[["name": "Ann"]]]) }
    }

    @Test(
        "A style without requests uses those of the preceding style in the task. The export and aggregates are omitted"
    )
    func styles() throws {
        let scenario = try #require(try read(Self.task).first)
        for style in [Style.restComposite, .restSparse, .restCold, .restWarm] {
            #expect(
                try scenario.rounds(of: style).map { try $0.filled(from: []).map(\.target) } == [["/employees/10004"]])
        }
        #expect([Style.restExport, .restAggregates, .graphQLAggregates].allSatisfy { !scenario.has($0) })
    }

    @Test(
        "An invalid task file is an error that names the task and the member",
        arguments: [
            ("pick", nil, "tasks.json, task names, member pick is missing"),
            ("pick", [], "member pick is not a list of members"),
            ("pick", ["within": "employee"], "member pick is not a list of members"),
            ("pick", ["pick": ["firstName"], "in": "employee"], "member pick is not a list of members"),
            ("picks", [["firstName"]], "member picks is only valid without pick"),
            ("name", 7, "tasks.json, task 1, member name is missing or not a text"),
            ("sentence", nil, "member sentence is missing or not a text"),
            ("sentense", "Show a name.", "member sentense is unknown"),
            ("rest", nil, "member rest is missing"),
            ("rest", "GET /employees", "member rest is not an array of lines"),
            ("rest", [1], "member rest has a number in place of a line"),
            ("rest", ["FETCH /employees"], #"member rest "FETCH /employees" is not a method and a target"#),
            ("rest", ["GET //example.com/"], #"member rest "GET //example.com/" is not a method and a target"#),
            ("rest-fields", ["PATCH /employees/1 {a}"], "member rest-fields {a} is not JSON"),
            (
                "rest", ["GET /employees/{employeeNumber}"],
                "member rest has a name in braces in its first round; only later rounds can use values of a previous round"
            ),
            (
                "rest", ["GET /employees", "GET /departments"],
                "member rest has GET /employees and GET /departments in one round, but the path of the second does not start with the path of the first; separate them with an empty line if one depends on the other, or declare two tasks"
            ),
            (
                "rest", ["GET /employees", "", "GET /employees/{employeeNumber}/titles", "GET /departments"],
                "member rest has GET /employees/{employeeNumber}/titles and GET /departments in one round, but only one of them contains braces; separate them with an empty line"
            ),
            ("graphql", [], "member graphql is missing"),
            (
                "graphql", ["query A { a }", "", "query B { b }"],
                "member variables has variables for id, which is not an operation"
            ),
            ("variables", "{}", "member variables has a string in place of an object"),
            ("pages", 0, "member pages is not a positive integer"),
            ("allPages", 1, "member allPages must be true or missing"),
            (
                "onPage", [["style": "rest-fields"]],
                "member onPage has an entry with a style that the task does not declare"
            ),
            (
                "onPage", [["first": 1]],
                "member onPage has an entry in which first is not true; set it to true or omit it"
            ),
            ("screen", [], "member screen has an array in place of an object"),
            ("screen", ["colour": "red"], "member screen has the unknown member colour"),
            ("screen", ["title": "People"], "member screen has no sentence"),
            ("onPage", ["rest"], "member onPage has a string in place of an object"),
            (
                "aggregates", [["aggregate": ["count"]]],
                "member aggregates is only valid together with rest-aggregates and graphql-aggregates, and without pick"
            ),
            (
                "changes", ["target": "/employees/1"],
                "member changes must have a string target and an object stored with exactly one member, a string"
            ),
        ] as [(String, JSONValue?, String)])
    func faults(member: String, value: JSONValue?, message: String) throws {
        var task = Self.task
        task["variables"] = ["id": 10004]
        task[member] = value
        let error = #expect(throws: TaskFileError.self) { try read(task) }
        let description = try #require(error).description
        #expect(description.contains(message) && description.hasPrefix("tasks.json, task "), "\(description)")
    }

    @Test(
        "A task with two requests cannot have several pages. The error names the member of the file",
        arguments: ["pages", "allPages"])
    func pagesOfSeveralRequests(_ member: String) throws {
        var task = Self.task
        task["rest"] = ["GET /employees/10004", "GET /employees/10004/titles"]
        task[member] = member == "pages" ? 2 : true
        let error = #expect(throws: TaskFileError.self) { try read(task) }
        let description = try #require(error).description
        #expect(
            description.contains("member \(member) is only valid for tasks with one request and one operation"),
            "\(description)")
    }

    @Test("A task with aggregates has an element for each request, and requests of several resources in one round")
    func aggregates() throws {
        var task = Self.task
        task["pick"] = nil
        task["pages"] = 2
        task["rest-aggregates"] = ["GET /employees?aggregate=count", "GET /departments?aggregate=count"]
        task["graphql-aggregates"] = ["{ employeesAggregate { count } departmentsAggregate { count } }"]
        task["aggregates"] = [["aggregate": ["count"]], ["aggregate": ["count"]]]
        let scenario = try #require(try read(task).first)
        #expect(scenario.has(.restAggregates) && scenario.has(.graphQLAggregates))
        #expect(scenario.operations(of: .graphQLAggregates).count == 1)
        for (value, message) in [
            ([["aggregate": ["count"]]], "does not have an element for each request of rest-aggregates"),
            ([["aggregate": ["salary.middle"]], ["aggregate": ["count"]]], "has an element that is not an object"),
            ([["group": ["year"]], ["aggregate": ["count"]]], "has an element that is not an object"),
        ] as [(JSONValue, String)] {
            task["aggregates"] = value
            let error = #expect(throws: TaskFileError.self) { try read(task) }
            #expect(error?.description.contains("member aggregates \(message)") == true)
        }
    }

    private static let screen: JSONObject = JSONObject([
        "title": "People", "sentence": "All people.", "rows": ["person", "people"], "heading": ["lastName"],
        "picture": "/employees/{employeeNumber}/thumbnail", "rest": ["GET /employees?first=30"],
        "graphql": ["{ employees(first: 30) { nodes { lastName } } }"],
    ])

    @Test(
        "A screen with an invalid line, picture, rows, heading, request or operation is rejected",
        arguments: [
            (nil, nil, nil), ("line", 1, "has a line that is not a text"),
            ("picture", "//example.com/a.png", "has a picture that is not a path of this server"),
            ("rows", ["person"], "has rows that are not an array of two words, for one row and for several rows"),
            ("heading", [], "has no heading"),
            ("rest", ["PATCH /employees/1 {}"], "has a rest that is not a single GET request of a list"),
            ("graphql", ["{ a }", "", "{ b }"], "has a graphql that is not a single operation"),
        ] as [(String?, JSONValue?, String?)])
    func screens(member: String?, value: JSONValue?, message: String?) throws {
        var (task, screen) = (Self.task, Self.screen)
        if let member { screen[member] = value }
        task["screen"] = .object(screen)
        guard let message else {
            #expect(try read(task).count == 1)
            return
        }
        let error = #expect(throws: TaskFileError.self) { try read(task) }
        #expect(error?.description == "tasks.json, task names, member screen \(message)")
    }

    @Test("A task file must be an array of tasks with unique names. Only a task with one request can have pages")
    func wholeFile() throws {
        var task = Self.task
        task["pages"] = 2
        #expect(try read(task).first?.pages == 2)
        task["rest"] = ["GET /employees", "", "GET /departments"]
        #expect(throws: TaskFileError.self) { try read(task) }
        #expect(throws: TaskFileError.self) { try read(Self.task, Self.task) }
        for text in ["", "[", "{}"] {
            #expect(throws: TaskFileError.self) { try TaskFileParser.scenarios(in: Array(text.utf8)) }
        }
    }
}
