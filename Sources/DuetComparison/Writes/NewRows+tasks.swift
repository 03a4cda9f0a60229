import DuetJSON
import DuetResourceService

/// The tasks that write rows of one resource.
extension NewRows {
    /// The number of rows that the task `create-many` creates.
    private static let many = 10
    /// The number of the first row of `create-many`. No other task creates rows with these numbers.
    private static let manyStart = 1_000_000

    /// The fields of a new row that a response contains.
    enum Shown {
        /// The key.
        case key
        /// The values of the request. They are equal in all executions with the same number.
        case values
    }

    /// Returns the names of the fields that a response contains.
    func fields(_ shown: Shown, of row: JSONObject) -> [String] {
        switch shown {
        case .key: resource.key
        case .values: Array(row.members.map(\.key).prefix(6))
        }
    }

    func create(showing shown: Shown = .key) throws -> WriteTask {
        let fields = self.fields(shown, of: try row(0))
        let mutation = WriteDocument(.create, resource, selecting: fields)
        let document = mutation.document("Create")
        return WriteTask(
            name: "create", sentence: "Create one \(resource.singular).", documents: [document]
        ) { style, execution in
            guard execution.rounds.isEmpty else { return nil }
            let row = JSONValue.object(try row(execution.number))
            switch style {
            case .restResources: return [.writing(.post, list, row, expecting: 201)]
            case .restSparse: return [.writing(.post, list + sparse(fields), row, expecting: 201)]
            default:
                return [
                    try TaskOperation(document: document, variables: ["input": row])
                        .request(style, isWrite: true).writing
                ]
            }
        }
    }

    func createMany() throws -> WriteTask {
        _ = try row(0)
        guard let name = createManyName else { throw NoRow("rows of \(resource.name) have no key") }
        let mutation = WriteDocument(.createMany, resource, selecting: resource.key, manyName: name)
        let document = mutation.document("CreateMany")
        return WriteTask(
            name: "create-many", sentence: "Create ten \(resource.name): all of them, or none.", documents: [document]
        ) { style, execution in
            guard execution.rounds.isEmpty else { return nil }
            let rows = try (0..<Self.many).map {
                JSONValue.object(try row(Self.manyStart + execution.number * Self.many + $0))
            }
            switch style {
            case .restResources: return rows.map { .writing(.post, list, $0, expecting: 201) }
            case .restSparse:
                return [.writing(.post, list + sparse(resource.key), .array(rows), expecting: 201)]
            default:
                return [
                    try TaskOperation(document: document, variables: ["inputs": .array(rows)])
                        .request(style, isWrite: true).writing
                ]
            }
        }
    }

    /// The tasks that change one field of the first row. There is one for each field that can be changed.
    func updates() throws -> [WriteTask] {
        let path = try firstPath()
        let values = try keyValues(rows[0])
        return try changes().map { change in
            let fields = resource.key + [change.field]
            let mutation = WriteDocument(.update, resource, selecting: fields)
            let document = mutation.document("Update")
            return WriteTask(
                name: "update", sentence: "Change \(change.field) of one \(resource.singular).", documents: [document],
                changed: changed(change)
            ) { style, execution in
                guard execution.rounds.isEmpty else { return nil }
                let patch = change.patch(execution.changes)
                switch style {
                case .restResources: return [.writing(.patch, path, patch, expecting: 200)]
                case .restSparse: return [.writing(.patch, path + sparse(fields), patch, expecting: 200)]
                default:
                    var variables = values
                    variables["patch"] = patch
                    return [
                        try TaskOperation(document: document, variables: variables).request(style, isWrite: true)
                            .writing
                    ]
                }
            }
        }
    }

    /// The tasks that read the first row and change it, unless another client has changed it in the meantime.
    func readModifyWrites() throws -> [WriteTask] {
        let path = try firstPath()
        let values = try keyValues(rows[0])
        return try changes().map { change in
            let fields = resource.key + [change.field]
            let read = WriteDocument.item(resource, selecting: [change.field, "entityTag"])
            let mutation = WriteDocument(.update, resource, selecting: fields, hasTag: true)
            let document = mutation.document("UpdateUnchanged")
            return WriteTask(
                name: "read-modify-write",
                sentence:
                    "Read one \(resource.singular), and change its \(change.field) unless another client has changed the row.",
                documents: [read, document], changed: changed(change)
            ) { style, execution in
                let patch = change.patch(execution.changes)
                let target = style == .restResources ? path : path + sparse(fields)
                guard let first = execution.rounds.first?.first else {
                    guard style.isGraphQL else { return [.get(target)] }
                    return [try TaskOperation(document: read, variables: values).request(style, isWrite: false)]
                }
                guard execution.rounds.count == 1 else { return nil }
                guard style.isGraphQL else {
                    guard let tag = first.entityTag else { throw UnexpectedAnswer("\(target) has no entity tag") }
                    return [.writing(.patch, target, patch, ifMatch: tag, expecting: 200)]
                }
                var variables = values
                variables["patch"] = patch
                variables["tag"] = try first.body.rootField().member("entityTag")
                return [
                    try TaskOperation(document: document, variables: variables).request(style, isWrite: true).writing
                ]
            }
        }
    }

    /// The task that removes a row, which a request before the task has created.
    func delete() throws -> WriteTask {
        guard resource.writes.delete != nil, resource.hasItems else {
            throw NoRow("rows of \(resource.name) cannot be removed")
        }
        _ = try row(0)
        let mutation = WriteDocument(.delete, resource, selecting: [])
        let document = mutation.document("Delete")
        var task = WriteTask(
            name: "delete", sentence: "Remove one \(resource.singular), to which no row refers.", documents: [document]
        ) { style, execution in
            guard execution.rounds.isEmpty else { return nil }
            guard case .object(let made)? = execution.setup.first?.body else {
                throw UnexpectedAnswer("the row to remove is not an object")
            }
            guard style.isGraphQL else { return [.writing(.delete, try path(made), expecting: 204)] }
            return [
                try TaskOperation(document: document, variables: try keyValues(made)).request(style, isWrite: true)
                    .writing
            ]
        }
        task.setup = { [.writing(.post, list, .object(try row($0)), expecting: 201)] }
        return task
    }

    /// The task that removes the last of the existing rows.
    func deleteExisting() throws -> WriteTask {
        guard resource.writes.delete != nil, resource.hasItems, let row = rows.last else {
            throw NoRow("no row of \(resource.name) can be removed")
        }
        let (path, keys) = (try self.path(row), try keyValues(row))
        let document = WriteDocument(.delete, resource, selecting: []).document("Delete")
        return WriteTask(
            name: "delete", sentence: "Remove one \(resource.singular).", documents: [document]
        ) { style, execution in
            guard execution.rounds.isEmpty else { return nil }
            guard style.isGraphQL else { return [.writing(.delete, path, expecting: 204)] }
            return [try TaskOperation(document: document, variables: keys).request(style, isWrite: true).writing]
        }
    }

    // MARK: Parts of requests

    /// The path of the list.
    var list: String { "/\(resource.name)" }

    /// Returns the query that limits a response to fields.
    func sparse(_ fields: [String]) -> String { fields.isEmpty ? "" : "?fields=\(fields.joined(separator: ","))" }

    /// Returns the path of a row.
    func path(_ row: JSONObject) throws -> String {
        "\(list)/\(KeySegment.text(try resource.key.map { try Self.text(row[$0], $0) }))"
    }

    /// Returns the variables with the key of a row.
    func keyValues(_ row: JSONObject) throws -> JSONObject {
        var values = JSONObject()
        for (name, field) in resource.itemArguments {
            guard let value = row[field.name] else { throw UnexpectedAnswer("the row has no \(field.name)") }
            values[name] = name == "id" ? .string(try Self.text(value, name)) : value
        }
        return values
    }

    private static func text(_ value: JSONValue?, _ name: String) throws -> String {
        switch value {
        case nil, .null?: throw UnexpectedAnswer("the row has no \(name)")
        case .string(let text)?: text
        case let other?: other.compactText
        }
    }

    /// Returns the path of the first row.
    private func firstPath() throws -> String {
        guard resource.hasItems, resource.writes.update != nil else {
            throw NoRow("rows of \(resource.name) cannot be changed")
        }
        guard let row = rows.first else { throw NoRow("\(resource.name) has no row to change") }
        return try path(row)
    }

    /// Returns the value of ``WriteTask/changed``.
    func changed(_ change: Alternative) -> String { "\(resource.name).\(change.field)" }

    /// The changes of one field of the first row.
    func changes() throws -> [Alternative] {
        let found = alternatives
        guard !found.isEmpty else { throw NoRow("no field of \(resource.name) can get another value") }
        return found
    }
}

extension NewRows.Alternative {
    /// Returns the values of a change.
    /// - Parameter number: The number of earlier changes. Each change writes another value than the stored one.
    func patch(_ number: Int) -> JSONValue {
        .object(JSONObject([field: number.isMultiple(of: 2) ? other : stored]))
    }
}

extension Request {
    /// The request as a part of a task that writes.
    var writing: Request {
        var request = self
        request.isOfWritingTask = true
        return request
    }
}
