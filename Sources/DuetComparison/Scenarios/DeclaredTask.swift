import DuetJSON

/// A task as declared in the tasks file.
struct DeclaredTask {
    let name: String
    let members: JSONObject

    private static let styles: [Style] = [
        .restResources, .restComposite, .restSparse, .restExport, .restAggregates,
    ]
    /// The names of the members of a task. The last three members are for the page at `/`. The comparison checks
    /// `onPage` and `screen`, but uses none of the three.
    private static let names =
        ["name", "sentence", "pages", "allPages", "restStatus", "changes", "graphql", "variables"]
        + styles.map(\.rawValue)
        + [Style.graphQLAggregates.rawValue, "pick", "picks", aggregates, "note", "onPage", "screen"]
    /// The name of the member with the values of the styles with aggregates.
    private static let aggregates = "aggregates"

    /// Returns an error that contains the names of the task and of one of its members.
    func fault(_ member: String, _ reason: String) -> TaskFileError {
        TaskFileError(task: name, member: member, reason: reason)
    }

    /// Parses the task.
    /// - Throws: ``TaskFileError`` for the first fault.
    func scenario() throws -> Scenario {
        if let unknown = members.members.map(\.key).first(where: { !Self.names.contains($0) }) {
            throw fault(unknown, "is unknown")
        }
        let picks = try picks()
        guard case .string(let sentence)? = members["sentence"] else {
            throw fault("sentence", "is missing or not a text")
        }
        let (requests, operations, pages) = (try requests(), try operations(), try pages())
        let ofRows = requests.filter { !$0.key.readsAggregates }.values
        guard pages == 1 || (operations.count == 1 && ofRows.allSatisfy { $0.count == 1 && $0[0].count == 1 })
        else {
            let member = members["allPages"] == nil ? "pages" : "allPages"
            throw fault(member, "is only valid for tasks with one request and one operation")
        }
        try checkPageEntries()
        try checkScreen()
        return Scenario(
            name: name, task: sentence, requests: requests, operations: operations,
            aggregateOperations: try aggregateOperations(), pages: pages, written: try written(), picks: picks)
    }

    /// Returns the values that the task needs: those of the member `pick`, or a list of them for each response in the
    /// member `picks`.
    private func picks() throws -> Picks {
        if let aggregates = try aggregates() { return .aggregates(aggregates) }
        switch (members["pick"], members["picks"]) {
        case (nil, nil):
            throw fault(
                "pick",
                "is missing; list the members that the task needs, for example [\"id\", {\"orders\": [\"id\"]}]")
        case (let value?, nil): return .combined(try pick(value, "pick"))
        case (nil, .array(let values)?): return .each(try values.map { try pick($0, "picks") })
        case (nil, _): throw fault("picks", "is not an array with an element for each response")
        case (_?, _?): throw fault("picks", "is only valid without pick")
        }
    }

    /// Returns the values of a task with styles that read aggregates; nil for any other task.
    private func aggregates() throws -> [AggregatePick]? {
        let names = [Style.restAggregates.rawValue, Style.graphQLAggregates.rawValue, Self.aggregates]
        let declared = names.filter { members[$0] != nil }
        guard let first = declared.first else { return nil }
        guard declared.count == names.count, members["pick"] == nil, members["picks"] == nil else {
            throw fault(first, "is only valid together with \(names.filter { $0 != first }.inWords), and without pick")
        }
        guard case .array(let elements)? = members[Self.aggregates] else {
            throw fault(Self.aggregates, "is not an array with an element for each response")
        }
        guard try parts(Style.restAggregates.rawValue).flatMap(\.self).count == elements.count else {
            throw fault(Self.aggregates, "does not have an element for each request of rest-aggregates")
        }
        return try elements.map { element in
            do {
                return try AggregatePick(element)
            } catch {
                throw fault(
                    Self.aggregates,
                    "has an element that is not an object such as {\"group\": [\"country\"], \"aggregate\": [\"count\"]}"
                )
            }
        }
    }

    private func pick(_ value: JSONValue, _ member: String) throws -> Pick {
        do {
            return try Pick(value)
        } catch {
            throw fault(member, "is not a list of members; use a list such as [\"id\", {\"orders\": [\"id\"]}]")
        }
    }

    // MARK: REST

    /// Returns the requests of each style. If the task does not declare `rest-details`, this style has the requests of
    /// `rest`. If it does not declare `rest-fields`, this style has the requests of `rest-details`.
    private func requests() throws -> [Style: [RequestRound]] {
        var declared: [Style: [RequestRound]] = [:]
        for style in Self.styles {
            let rounds = try parts(style.rawValue).map { lines in
                try RequestRound(
                    lines.map { try request($0, style.rawValue) }, areSeparate: style.readsAggregates)
            }
            guard let first = rounds.first else { continue }
            guard !first.isForEachRow else {
                throw fault(
                    style.rawValue,
                    "has a name in braces in its first round; only later rounds can use values of a previous round")
            }
            if let reason = rounds.lazy.compactMap(\.inconsistency).first { throw fault(style.rawValue, reason) }
            declared[style] = rounds
        }
        guard let resources = declared[.restResources] else { throw fault("rest", "is missing") }
        let composite = declared[.restComposite] ?? resources
        declared[.restComposite] = composite
        declared[.restSparse] = declared[.restSparse] ?? composite
        return declared
    }

    func request(_ line: String, _ member: String) throws -> Request {
        let pattern = /(GET|POST|PATCH) (\/[^\s\/]\S*)(?: Accept: (\S+)| (.+))?/
        guard let parts = try pattern.wholeMatch(in: line), let method = Request.Method(rawValue: String(parts.1))
        else {
            throw fault(
                member, "\"\(line)\" is not a method and a target, optionally followed by a JSON body or Accept")
        }
        var request = Request.get(String(parts.2), expecting: try number("restStatus", default: 200))
        request.method = method
        if let type = parts.3 { request.accept = String(type) }
        if let body = parts.4 {
            do { _ = try JSONValue(parsing: body.utf8) } catch { throw fault(member, "\(body) is not JSON: \(error)") }
            request.body = String(body)
        }
        return request
    }

    // MARK: GraphQL

    private func operations() throws -> [TaskOperation] {
        let documents = try parts("graphql").map { $0.joined(separator: "\n") }
        guard !documents.isEmpty else { throw fault("graphql", "is missing") }
        let variables = try object(members["variables"], "variables")
        guard documents.count > 1 else { return [TaskOperation(document: documents[0], variables: variables)] }
        let names = documents.map { document in document.firstMatch(of: /^\w+ (\w+)/).map { String($0.1) } ?? "" }
        if let unknown = variables.members.map(\.key).first(where: { !names.contains($0) }) {
            throw fault("variables", "has variables for \(unknown), which is not an operation")
        }
        return try zip(names, documents).map { name, document in
            TaskOperation(document: document, variables: try object(variables[name], "variables"))
        }
    }

    /// Returns the operations with aggregates, without variables.
    private func aggregateOperations() throws -> [TaskOperation] {
        try parts(Style.graphQLAggregates.rawValue).map { TaskOperation(document: $0.joined(separator: "\n")) }
    }

    // MARK: Other members

    private func pages() throws -> Int {
        let pages = try number("pages", default: 1)
        switch members["allPages"] {
        case nil: return pages
        case .bool(true)?: return .max
        default: throw fault("allPages", "must be true or missing")
        }
    }

    private func written() throws -> Scenario.Written? {
        guard let changes = members["changes"] else { return nil }
        let stored = try object(changes["stored"], "changes")
        guard case .string(let target)? = changes["target"], stored.members.count == 1,
            case .string(let value)? = stored.members.first?.value
        else {
            throw fault("changes", "must have a string target and an object stored with exactly one member, a string")
        }
        return Scenario.Written(value: value, target: target, stored: .object(stored))
    }

    private func checkPageEntries() throws {
        guard let value = members["onPage"] else { return }
        guard case .array(let entries) = value else { throw fault("onPage", "is not an array of entries") }
        for entry in entries {
            let entry = try object(entry, "onPage")
            guard [nil, .bool(true)].contains(entry["first"]) else {
                throw fault("onPage", "has an entry in which first is not true; set it to true or omit it")
            }
            guard let style = entry["style"] else { continue }
            let isDeclared = Self.styles.map(\.rawValue).contains { style == .string($0) && members[$0] != nil }
            guard isDeclared else { throw fault("onPage", "has an entry with a style that the task does not declare") }
        }
    }

    /// Returns the parts of a member that is an array of lines. An empty line separates two parts.
    private func parts(_ member: String) throws -> [[String]] {
        try members[member].map { try parts($0, member) } ?? []
    }

    func parts(_ value: JSONValue, _ member: String) throws -> [[String]] {
        guard case .array(let lines) = value else { throw fault(member, "is not an array of lines") }
        return try lines.map { line in
            guard case .string(let text) = line else { throw fault(member, "has \(line.typeName) in place of a line") }
            return text
        }.split(separator: "").map(Array.init)
    }

    private func number(_ member: String, default standard: Int) throws -> Int {
        guard let value = members[member] else { return standard }
        guard case .integer(let number) = value, number > 0 else { throw fault(member, "is not a positive integer") }
        return Int(number)
    }

    func object(_ value: JSONValue?, _ member: String) throws -> JSONObject {
        switch value {
        case nil: JSONObject()
        case .object(let object)?: object
        case let other?: throw fault(member, "has \(other.typeName) in place of an object")
        }
    }
}
