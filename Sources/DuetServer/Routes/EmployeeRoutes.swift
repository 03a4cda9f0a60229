import EmployeeService
import HTTPTypes
import Hummingbird
import HummingbirdCore
import JSON
import NIOCore
import ResultSetJSON

/// The service's resources over HTTP: which plan a request is, and what becomes of the answer.
struct EmployeeRoutes: Sendable {
    let service: EmployeeService
    let settings: ServerSettings
    private let face: RESTFace
    private let builder: ResponseBuilder

    init(service: EmployeeService, settings: ServerSettings) {
        self.service = service
        self.settings = settings
        face = RESTFace(service)
        builder = ResponseBuilder(settings: settings)
    }

    private static let page = ["first", "after"]
    private static let filters = ["name", "hiredAfter", "hiredBefore"]

    var routes: [Route] {
        [
            Route(
                .get, "/employees", "Employees, a page at a time; NDJSON and CSV without first: all of them",
                parameters: ["details", "fields", "sort"] + Self.page + Self.filters + ["department"]
            ) { try await list($0) { try face.employees($0, $1) } },
            Route(.post, "/employees", "A new employee", parameters: ["details", "fields"], handler: createEmployee),
            Route(
                .get, "/employees/{employeeNumber}", "One employee, with details if wanted",
                parameters: ["details", "fields"]
            ) { exchange in
                try await object(exchange) {
                    try face.employee(exchange.parameter("employeeNumber"), exchange.rawQuery, exchange.query)
                }
            },
            Route(
                .patch, "/employees/{employeeNumber}", "Change some of an employee's fields",
                parameters: ["details", "fields"], handler: updateEmployee),
            Route(
                .delete, "/employees/{employeeNumber}", "Remove an employee, with all that belongs to them",
                parameters: ["details", "fields"], handler: deleteEmployee),
            related(.titles),
            Route(
                .post, "/employees/{employeeNumber}/titles", "A new title; the one held before ends",
                parameters: ["fields"]
            ) { exchange in
                try await addPeriod(exchange, .titles) { number, value, precondition, plan in
                    try await service.addTitle(
                        PeriodInput(title: value, dates: service.encoding.dates), to: number, if: precondition,
                        answering: plan)
                }
            },
            related(.salaries),
            Route(
                .post, "/employees/{employeeNumber}/salaries", "A new salary; the one paid before ends",
                parameters: ["fields"]
            ) { exchange in
                try await addPeriod(exchange, .salaries) { number, value, precondition, plan in
                    try await service.addSalary(
                        PeriodInput(salary: value, dates: service.encoding.dates), to: number, if: precondition,
                        answering: plan)
                }
            },
            related(.departments),
            Route(
                .get, "/employees/{employeeNumber}/departments/{departmentNumber}",
                "When an employee is in a department", parameters: ["fields"]
            ) { exchange in try await object(exchange) { try assignmentPlan(exchange, try exchange.query()) } },
            Route(
                .put, "/employees/{employeeNumber}/departments/{departmentNumber}",
                "Put an employee into a department, or change when they are in it", parameters: ["fields"],
                handler: assign),
            Route(
                .get, "/departments", "Departments", parameters: ["details", "fields"] + Self.page
            ) { try await list($0) { try face.list(.departments, $0, $1) } },
            Route(
                .get, "/departments/{departmentNumber}", "One department, with details if wanted",
                parameters: ["details", "fields"]
            ) { exchange in
                try await object(exchange) {
                    try face.department(exchange.parameter("departmentNumber"), exchange.rawQuery, exchange.query)
                }
            },
            Route(
                .get, "/departments/{departmentNumber}/employees", "Those who work in a department now",
                parameters: ["details", "fields", "sort"] + Self.page + Self.filters
            ) { exchange in
                try await list(exchange) {
                    try face.employees(ofDepartment: exchange.parameter("departmentNumber"), $0, $1)
                }
            },
            Route(
                .get, "/titles", "Every title anyone has had", parameters: ["fields"] + Self.page
            ) { try await list($0) { try face.list(.titles, $0, $1) } },
            Route(
                .get, "/salaries", "Every salary anyone has had", parameters: ["fields"] + Self.page
            ) { try await list($0) { try face.list(.salaries, $0, $1) } },
        ]
    }

    // MARK: Reads

    /// Request → plan → answer → response, for one object.
    private func object(_ exchange: Exchange, plan makePlan: () throws -> ReadPlan) async throws -> Response {
        var timing = ServerTiming()
        let format = try RowFormat.preferred(for: exchange.request.headers, isList: false)
        timing.endParse()
        let plan = try makePlan()
        timing.endPlan()
        let answer = try await service.answer(plan, format)
        timing.endSQL(nanoseconds: answer.sqlNanoseconds, statements: answer.statements)
        return try builder.whole(
            answer.body, mediaType: format.mediaType, for: exchange.request, timing: timing)
    }

    /// Request → plan → answer → response, for a list: whole up to a page, piece by piece beyond.
    private func list(
        _ exchange: Exchange, plan makePlan: (RESTFace.Query, RowFormat) throws -> ReadPlan
    ) async throws -> Response {
        var timing = ServerTiming()
        let query = try exchange.query()
        let format = try RowFormat.preferred(for: exchange.request.headers, isList: true)
        timing.endParse()
        let plan = try makePlan(query, format)
        timing.endPlan()
        if plan.isUnbounded {
            // How long the statements take, and with details how many they are, is known when the last row is sent.
            let pieces = try await service.stream(plan, format)
            return builder.streamed(pieces, mediaType: format.mediaType, for: exchange.request, timing: timing)
        }
        let answer = try await service.answer(plan, format)
        timing.endSQL(nanoseconds: answer.sqlNanoseconds, statements: answer.statements)
        var headers: HTTPFields = [:]
        if let next = answer.next { headers[.link] = Self.link(next, exchange) }
        return try builder.whole(
            answer.body, mediaType: format.mediaType, for: exchange.request, timing: timing, headers: headers)
    }

    private func related(_ relation: Relation) -> Route {
        Route(
            .get, "/employees/{employeeNumber}/\(relation.name)", "An employee's \(relation.name), newest first",
            parameters: ["fields"]
        ) { exchange in
            try await list(exchange) { query, _ in
                try face.related(relation, ofEmployee: exchange.parameter("employeeNumber"), query)
            }
        }
    }

    /// The same list from the cursor on (RFC 8288).
    private static func link(_ cursor: String, _ exchange: Exchange) -> String {
        let others = (exchange.rawQuery ?? "").split(separator: "&").filter { part in
            (try? QueryString(part).parameters.first?.name) != "after"
        }
        let target = "\(exchange.request.uri.path)?\((others + ["after=\(cursor)"]).joined(separator: "&"))"
        return "<\(uriReference(target))>; rel=\"next\""
    }

    /// A target with what has no place in a URI percent-encoded: clients are not held to it, links are (RFC 3986).
    private static func uriReference(_ target: String) -> String {
        func isFit(_ byte: UInt8) -> Bool {
            byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
        }
        guard !target.utf8.allSatisfy(isFit) else { return target }
        return target.utf8.map { byte in
            isFit(byte)
                ? String(UnicodeScalar(byte))
                : "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    // MARK: Writes

    private func createEmployee(_ exchange: Exchange) async throws -> Response {
        // Understood before anything is written; the number does not matter yet.
        let template = try face.employee("1", exchange.rawQuery, exchange.query)
        let value = try await exchange.body(.json, limit: settings.maximumBodySize)
        try requireNoPrecondition(exchange)
        let input = try EmployeeInput(creating: value, dates: service.encoding.dates)
        let (number, answer) = try await service.createEmployee(input, answering: template)
        return try builder.whole(
            answer.body, mediaType: RowFormat.json.mediaType, for: exchange.request, status: .created,
            headers: [.location: "/employees/\(number)"])
    }

    private func updateEmployee(_ exchange: Exchange) async throws -> Response {
        let (number, plan) = try employeePlan(exchange)
        let value = try await exchange.body(.mergePatch, limit: settings.maximumBodySize)
        let input = try EmployeeInput(patching: value, dates: service.encoding.dates)
        let answer = try await service.updateEmployee(
            number, input, if: exchange.precondition, answering: plan)
        return try builder.whole(answer.body, mediaType: RowFormat.json.mediaType, for: exchange.request)
    }

    private func deleteEmployee(_ exchange: Exchange) async throws -> Response {
        let (number, plan) = try employeePlan(exchange)
        try await service.deleteEmployee(number, if: exchange.precondition, reading: plan)
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }

    private func employeePlan(_ exchange: Exchange) throws -> (Int, ReadPlan) {
        let text = exchange.parameter("employeeNumber")
        return (try RESTFace.employeeNumber(text), try face.employee(text, exchange.rawQuery, exchange.query))
    }

    private func addPeriod(
        _ exchange: Exchange, _ relation: Relation,
        _ add: (Int, JSONValue, EmployeeService.Precondition?, ReadPlan) async throws -> EmployeeService.Answer
    ) async throws -> Response {
        let text = exchange.parameter("employeeNumber")
        let number = try RESTFace.employeeNumber(text)
        let plan = try face.related(relation, ofEmployee: text, try exchange.query())
        let value = try await exchange.body(.json, limit: settings.maximumBodySize)
        let answer = try await add(number, value, exchange.precondition, plan)
        return try builder.whole(
            answer.body, mediaType: RowFormat.json.mediaType, for: exchange.request, status: .created,
            headers: [.location: "/employees/\(number)/\(relation.name)"])
    }

    private func assignmentPlan(_ exchange: Exchange, _ query: RESTFace.Query) throws -> ReadPlan {
        try face.assignment(
            ofEmployee: exchange.parameter("employeeNumber"), to: exchange.parameter("departmentNumber"), query)
    }

    private func assign(_ exchange: Exchange) async throws -> Response {
        let number = try RESTFace.employeeNumber(exchange.parameter("employeeNumber"))
        let department = try RESTFace.departmentNumber(exchange.parameter("departmentNumber"))
        let plan = try assignmentPlan(exchange, try exchange.query())
        let value = try await exchange.body(.json, limit: settings.maximumBodySize)
        let input = try PeriodInput(assignment: value, dates: service.encoding.dates)
        let (isNew, answer) = try await service.assign(
            number, to: department, input, if: exchange.precondition, answering: plan)
        return try builder.whole(
            answer.body, mediaType: RowFormat.json.mediaType, for: exchange.request, status: isNew ? .created : .ok,
            headers: isNew ? [.location: "/employees/\(number)/departments/\(department)"] : [:])
    }

    /// What is about to be made cannot match anything yet.
    private func requireNoPrecondition(_ exchange: Exchange) throws {
        try exchange.precondition?(nil)
    }
}
