import DuetJSON
import EmployeeService
import HTTPSemantics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ResultSetJSON

/// The service's resources over HTTP: which plan a request is, and what becomes of the answer.
struct EmployeeRoutes: Sendable {
    let service: EmployeeService
    let settings: ServerSettings
    let face: RESTFace
    private let builder: ResponseBuilder
    private let revalidator: Revalidator

    init(service: EmployeeService, settings: ServerSettings) {
        self.service = service
        self.settings = settings
        face = RESTFace(service)
        builder = ResponseBuilder(settings: settings)
        revalidator = Revalidator(service.database)
    }

    private static let page = ["first", "after"]
    private static let filters = ["name", "hiredAfter", "hiredBefore"]

    var routes: [Route] {
        [
            Route(
                .get, "/employees", "Employees, a page at a time; NDJSON and CSV without first: all of them",
                parameters: ["details", "fields", "sort"] + Self.page + Self.filters + ["department"]
            ) { try await list($0, takesDetails: true) { try face.employees($0, $1) } },
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
            Route(
                .get, "/employees/{employeeNumber}/thumbnail", "A picture that stands for an employee",
                handler: thumbnail),
            related(.titles),
            Route(
                .post, "/employees/{employeeNumber}/titles", "A new title; the one held before ends",
                parameters: ["fields"]
            ) { exchange in
                try await addPeriod(exchange, .titles) {
                    try PeriodInput(title: $0, dates: service.encoding.dates)
                } _: {
                    try await service.addTitle($0, to: $1, if: $2, answering: $3)
                }
            },
            related(.salaries),
            Route(
                .post, "/employees/{employeeNumber}/salaries", "A new salary; the one paid before ends",
                parameters: ["fields"]
            ) { exchange in
                try await addPeriod(exchange, .salaries) {
                    try PeriodInput(salary: $0, dates: service.encoding.dates)
                } _: {
                    try await service.addSalary($0, to: $1, if: $2, answering: $3)
                }
            },
            related(.departments),
            Route(
                .get, "/employees/{employeeNumber}/departments/{departmentNumber}",
                "When an employee is in a department", parameters: ["fields"]
            ) { exchange in try await object(exchange) { try assignmentPlan(exchange) } },
            Route(
                .put, "/employees/{employeeNumber}/departments/{departmentNumber}",
                "Put an employee into a department, or change when they are in it", parameters: ["fields"],
                handler: assign),
            Route(
                .get, "/departments", "Departments", parameters: ["details", "fields"] + Self.page
            ) { try await list($0, takesDetails: true) { try face.list(.departments, $0, $1) } },
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
                try await list(exchange, takesDetails: true) {
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
        let format = try RowFormat.preferred(for: exchange.request.headers, of: .object)
        let read = revalidator.read(exchange.request, mediaType: format.mediaType)
        timing.endParse()
        if let known = read?.current { return builder.notModified(known, for: exchange.request, timing: timing) }
        let plan = try makePlan()
        timing.endPlan()
        return try await response(to: exchange, plan, format, read, &timing, tag: .collisionResistant) { _ in [:] }
    }

    /// Plan → answer → response, for what is sent as a whole.
    /// - Parameters:
    ///   - picture: sent in place of the rows, which only have to be there.
    ///   - tag: the hash function of the entity tag.
    private func response(
        to exchange: Exchange, _ plan: ReadPlan, _ format: RowFormat, _ read: ConditionalRead?,
        _ timing: inout ServerTiming, picture: Thumbnail? = nil,
        tag: EntityTag.Hash = .fast, headers: (EmployeeService.Answer) -> HTTPFields
    ) async throws -> Response {
        let answer = try await service.answer(plan, format, namesEntities: settings.caching.namesEntities)
        timing.endSQL(answer.cost)
        var fields = headers(answer)
        fields.add(answer.tags)
        return try builder.whole(
            picture.map { ByteBuffer(string: $0.svg) } ?? answer.body,
            mediaType: picture == nil ? format.mediaType : Self.pictureType, for: exchange.request, timing: timing,
            cacheControl: plan.cachePolicy.map(settings.caching.cacheControl) ?? "no-store", headers: fields,
            tag: tag, read: read)
    }

    private static let pictureType = "image/svg+xml"
    private static let pictures = MediaTypeNegotiation<Void>([(pictureType, ())])

    /// Request → plan → answer → response, for the picture of an employee.
    private func thumbnail(_ exchange: Exchange) async throws -> Response {
        var timing = ServerTiming()
        try exchange.requireNoQuery()
        guard Self.pictures.preferred(for: exchange.request.headers) != nil else {
            throw Problem(
                .notAcceptable, "this can be sent as \(Self.pictureType)",
                members: [("allowed", [.string(Self.pictureType)])])
        }
        let read = revalidator.read(exchange.request, mediaType: Self.pictureType)
        timing.endParse()
        if let known = read?.current { return builder.notModified(known, for: exchange.request, timing: timing) }
        let plan = try face.thumbnail(ofEmployee: exchange.parameter("employeeNumber"))
        timing.endPlan()
        let picture = Thumbnail(employeeNumber: try employeeNumber(exchange))
        return try await response(to: exchange, plan, .json, read, &timing, picture: picture) { _ in [:] }
    }

    /// Request → plan → answer → response, for a list: whole up to a page, piece by piece beyond.
    /// - Parameters:
    ///   - takesDetails: true if its rows may have lists in them.
    ///   - tag: the hash function of the entity tag.
    private func list(
        _ exchange: Exchange, takesDetails: Bool = false, tag: EntityTag.Hash = .fast,
        plan makePlan: (RESTFace.Query, RowFormat) throws -> ReadPlan
    ) async throws -> Response {
        var timing = ServerTiming()
        let query = try exchange.query()
        let hasDetails = takesDetails && query.contains { $0.name == "details" }
        let format = try RowFormat.preferred(
            for: exchange.request.headers, of: hasDetails ? .listWithDetails : .list)
        let read = revalidator.read(exchange.request, mediaType: format.mediaType)
        timing.endParse()
        if let known = read?.current { return builder.notModified(known, for: exchange.request, timing: timing) }
        let plan = try makePlan(query, format)
        timing.endPlan()
        if plan.isUnbounded {
            // How long the statements take, and with details how many they are, is known when the last row is sent.
            let pieces = try await service.stream(plan, format)
            return builder.streamed(pieces, mediaType: format.mediaType, for: exchange.request, timing: timing)
        }
        return try await response(to: exchange, plan, format, read, &timing, tag: tag) { answer in
            answer.next.map { [.link: Self.link($0, exchange)] } ?? [:]
        }
    }

    private func related(_ relation: Relation) -> Route {
        Route(
            .get, "/employees/{employeeNumber}/\(relation.name)", "An employee's \(relation.name), newest first",
            parameters: ["fields"]
        ) { exchange in
            try await list(exchange, tag: .collisionResistant) { query, _ in
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
        return "<\(target.uriReference)>; rel=\"next\""
    }

    // MARK: Writes

    /// Reads the query and the body before anything is written; `input` makes what is to be written of the body.
    private func understand<Input>(
        _ exchange: Exchange, _ kind: BodyKind, _ timing: inout ServerTiming, plan makePlan: () throws -> ReadPlan,
        input: (JSONValue) throws -> Input
    ) async throws -> (plan: ReadPlan, input: Input) {
        let plan = try makePlan()
        timing.endPlan()
        let input = try input(try await exchange.body(kind, limit: settings.maximumBodySize))
        timing.endParse()
        return (plan, input)
    }

    /// What a write answers: what a read of the same address would, and the names of what it has changed, so that a cache on the way can
    /// forget that.
    private func written(
        _ answer: EmployeeService.Answer, _ exchange: Exchange, _ timing: ServerTiming, newAt location: String? = nil
    ) throws -> Response {
        var timing = timing
        timing.endSQL(answer.cost)
        var headers: HTTPFields = [:]
        if let location {
            headers[.location] = location
            // With a query, the body and its entity tag are of another address than Location's (RFC 9110 §8.7).
            if let query = exchange.rawQuery, !query.isEmpty {
                headers[.contentLocation] = "\(location)?\(query)".uriReference
            }
        }
        if settings.caching.namesEntities { headers.add(answer.tags) }
        return try builder.whole(
            answer.body, mediaType: RowFormat.json.mediaType, for: exchange.request, timing: timing,
            status: location == nil ? .ok : .created, headers: headers, tag: .collisionResistant)
    }

    private func createEmployee(_ exchange: Exchange) async throws -> Response {
        var timing = ServerTiming()
        // The number does not matter yet.
        let (plan, input) = try await understand(exchange, .json, &timing) {
            try face.employee("1", exchange.rawQuery, exchange.query)
        } input: {
            try EmployeeInput(creating: $0, dates: service.encoding.dates)
        }
        try requireNoPrecondition(exchange)
        let (number, answer) = try await service.createEmployee(input, answering: plan)
        return try written(answer, exchange, timing, newAt: "/employees/\(number)")
    }

    private func updateEmployee(_ exchange: Exchange) async throws -> Response {
        var timing = ServerTiming()
        let number = try employeeNumber(exchange)
        let (plan, input) = try await understand(exchange, .mergePatch, &timing) {
            try employeePlan(exchange)
        } input: {
            try EmployeeInput(patching: $0, dates: service.encoding.dates)
        }
        let answer = try await service.updateEmployee(number, input, if: exchange.precondition, answering: plan)
        return try written(answer, exchange, timing)
    }

    private func deleteEmployee(_ exchange: Exchange) async throws -> Response {
        var timing = ServerTiming()
        let number = try employeeNumber(exchange)
        let plan = try employeePlan(exchange)
        timing.endPlan()
        let answer = try await service.deleteEmployee(number, if: exchange.precondition, reading: plan)
        timing.endSQL(answer.cost)
        timing.endEncode()
        var headers: HTTPFields = [.cacheControl: "no-store", .serverTiming: timing.fieldValue]
        if settings.caching.namesEntities { headers.add(answer.tags) }
        return Response(status: .noContent, headers: headers)
    }

    private func employeeNumber(_ exchange: Exchange) throws -> Int {
        try Identifier.employeeNumber(exchange.parameter("employeeNumber"))
    }

    private func employeePlan(_ exchange: Exchange) throws -> ReadPlan {
        try face.employee(exchange.parameter("employeeNumber"), exchange.rawQuery, exchange.query)
    }

    private func addPeriod(
        _ exchange: Exchange, _ relation: Relation, input: (JSONValue) throws -> PeriodInput,
        _ add: (PeriodInput, Int, EmployeeService.Precondition?, ReadPlan) async throws -> EmployeeService.Answer
    ) async throws -> Response {
        var timing = ServerTiming()
        let number = try employeeNumber(exchange)
        let (plan, input) = try await understand(exchange, .json, &timing) {
            try face.related(relation, ofEmployee: exchange.parameter("employeeNumber"), try exchange.query())
        } input: {
            try input($0)
        }
        let answer = try await add(input, number, exchange.precondition, plan)
        return try written(answer, exchange, timing, newAt: "/employees/\(number)/\(relation.name)")
    }

    private func assignmentPlan(_ exchange: Exchange) throws -> ReadPlan {
        try face.assignment(
            ofEmployee: exchange.parameter("employeeNumber"), to: exchange.parameter("departmentNumber"),
            try exchange.query())
    }

    private func assign(_ exchange: Exchange) async throws -> Response {
        var timing = ServerTiming()
        let number = try employeeNumber(exchange)
        let department = try Identifier.departmentNumber(exchange.parameter("departmentNumber"))
        let (plan, input) = try await understand(exchange, .json, &timing) {
            try assignmentPlan(exchange)
        } input: {
            try PeriodInput(assignment: $0, dates: service.encoding.dates)
        }
        let (isNew, answer) = try await service.assign(
            number, to: department, input, if: exchange.precondition, answering: plan)
        return try written(
            answer, exchange, timing, newAt: isNew ? "/employees/\(number)/departments/\(department)" : nil)
    }

    /// What is about to be made cannot match anything yet.
    private func requireNoPrecondition(_ exchange: Exchange) throws {
        try exchange.precondition?(nil)
    }
}
