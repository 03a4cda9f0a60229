import DuetJSON
import DuetResourceService

/// The tasks that write rows of two resources.
extension NewRows {
    /// The number of related rows that the task `create-with-related` creates.
    private static let related = 3
    /// The number of the first related row. No other task creates rows with these numbers.
    private static let relatedStart = 4_000_000

    /// A to-many relation whose related rows can be created together with their parent row.
    private struct Nested {
        let relation: Relation
        let children: NewRows
        /// The fields of the related rows that refer to the parent row, and the fields to which they refer.
        let references: [(own: String, parent: String)]

        var names: [String] { references.map(\.own) }

        init?(_ relation: Relation, of parent: Resource, _ children: NewRows) {
            guard relation.isToMany, relation.joins.isEmpty, relation.target == children.resource.name,
                let create = children.resource.writes.create, parent.writes.create != nil, parent.hasItems
            else { return nil }
            let references = relation.columns.compactMap { pair -> (own: String, parent: String)? in
                guard
                    let own = children.resource.fields.first(where: { $0.relation == nil && $0.column == pair.to }),
                    let key = parent.key.compactMap(parent.field).first(where: { $0.column == pair.from })
                else { return nil }
                return (own.name, key.name)
            }
            let names = references.map(\.own)
            guard references.count == relation.columns.count, names.allSatisfy(create.fields.contains),
                !create.fields.allSatisfy(names.contains)
            else { return nil }
            (self.relation, self.children, self.references) = (relation, children, references)
        }
    }

    /// The tasks that create a row with related rows: in one request, and in a request for each row.
    func createWithRelated(_ all: [NewRows], showing shown: Shown = .key) throws -> [WriteTask] {
        let fields = self.fields(shown, of: try row(0))
        let nested = resource.relations.compactMap { relation in
            all.lazy.filter { !$0.rows.isEmpty }.compactMap { Nested(relation, of: resource, $0) }.first
        }
        let tasks = nested.compactMap { createWithRelated($0, fields, shown) }
        guard !tasks.isEmpty else { throw NoRow("a new row of \(resource.name) cannot contain related rows") }
        return tasks
    }

    private func createWithRelated(_ nested: Nested, _ fields: [String], _ shown: Shown) -> WriteTask? {
        let (children, relation) = (nested.children, nested.relation)
        let models = children.models(Self.related, without: nested.names)
        guard !models.isEmpty, let example = try? children.row(0, like: models[0], without: nested.names) else {
            return nil
        }
        let childKey = children.fields(shown, of: example)
        let isPaged = if case .many = relation.size { true } else { false }
        let inner = childKey.map { "  \($0)" }
        let lines =
            ["\(relation.name) {"] + (isPaged ? ["  nodes {"] + inner.map { "  \($0)" } + ["  }"] : inner) + ["}"]
        let mutation = WriteDocument(.create, resource, selecting: fields + (childKey.isEmpty ? [] : lines))
        let document = mutation.document("CreateWithRelated")
        let query =
            sparse(fields)
            + (childKey.isEmpty
                ? "" : "&details=\(relation.name)&\(relation.name).fields=\(childKey.joined(separator: ","))")
        let count = models.count
        @Sendable func childRows(_ number: Int) throws -> [JSONObject] {
            try models.enumerated().map { position, index in
                try children.row(
                    Self.relatedStart + number * Self.related + position, like: index, without: nested.names)
            }
        }
        return WriteTask(
            name: "create-with-related",
            sentence: "Create one \(resource.singular) with \(count) of its \(relation.name).", documents: [document]
        ) { style, execution in
            var row = try row(execution.number)
            let related = try childRows(execution.number)
            guard style == .restResources else {
                guard execution.rounds.isEmpty else { return nil }
                row[relation.name] = .array(related.map { .object($0) })
                guard style.isGraphQL else { return [.writing(.post, list + query, .object(row), expecting: 201)] }
                return [
                    try TaskOperation(document: document, variables: ["input": .object(row)])
                        .request(style, isWrite: true).writing
                ]
            }
            guard let made = execution.rounds.first?.first?.body else {
                return [.writing(.post, list, .object(row), expecting: 201)]
            }
            guard execution.rounds.count == 1 else { return nil }
            return try related.map { child in
                var child = child
                for (own, parent) in nested.references { child[own] = try made.member(parent) }
                return .writing(.post, children.list, .object(child), expecting: 201)
            }
        }
    }

    /// The tasks that create a row, create a row that refers to it, and change an existing row: in one transaction, and
    /// over REST also in a transaction for each row.
    func transactions(_ all: [NewRows]) throws -> [WriteTask] {
        _ = try row(0)
        let referring = all.lazy.flatMap { children in
            children.resource.relations.compactMap { relation in children.reference(relation, to: self) }
        }
        guard let (children, relation, references) = referring.first else {
            throw NoRow("no new row can refer to a new row of \(resource.name)")
        }
        let changed = [self] + all
        guard let target = changed.first(where: { (try? $0.updates())?.isEmpty == false }) else {
            throw NoRow("no row can be changed in the same transaction")
        }
        _ = try children.row(0, without: references.map(\.own))
        return try target.changes().map {
            try transaction(children, relation, references, target, $0)
        }
    }

    /// Returns the fields of a to-one relation to new rows of another resource; nil if a batch cannot set them.
    private func reference(
        _ relation: Relation, to parent: NewRows
    ) -> (NewRows, Relation, [(own: String, parent: String)])? {
        let target = parent.resource
        guard !relation.isToMany, relation.joins.isEmpty, relation.target == target.name, !rows.isEmpty,
            target.hasItems, target.field("ref") == nil, target.relation("ref") == nil,
            let create = resource.writes.create, relation.columns.count == target.key.count,
            resource.name != target.name
        else { return nil }
        let references = relation.columns.compactMap { pair -> (own: String, parent: String)? in
            guard let own = resource.fields.first(where: { $0.relation == nil && $0.column == pair.from }),
                let key = target.key.compactMap(target.field).first(where: { $0.column == pair.to }),
                create.fields.contains(own.name)
            else { return nil }
            return (own.name, key.name)
        }
        let isReverse =
            relation.size == .one(isOptional: true) && references.allSatisfy { resource.key.contains($0.own) }
        return references.count == relation.columns.count && !isReverse ? (self, relation, references) : nil
    }

    private func transaction(
        _ children: NewRows, _ relation: Relation, _ references: [(own: String, parent: String)],
        _ target: NewRows, _ change: Alternative
    ) throws -> WriteTask {
        let names = references.map(\.own)
        guard let existing = target.rows.first else { throw NoRow("\(target.resource.name) has no row to change") }
        let path = try target.path(existing)
        let keys = try target.keyValues(existing)
        let shown = target.resource.key + [change.field]
        let parts = [
            WriteDocument(.create, resource, selecting: resource.key),
            WriteDocument(.create, children.resource, selecting: children.resource.key),
            WriteDocument(.update, target.resource, selecting: shown),
        ]
        let suffixes = ["A", "B", "C"]
        let variables = zip(parts, suffixes).flatMap { $0.variables($1) }.map { "$\($0): \($1)" }
        let fields = zip(parts, suffixes).flatMap { part, suffix in
            var lines = part.field(suffix)
            lines[0] = "\(suffix.lowercased()): \(lines[0])"
            return lines.map { "  \($0)" }
        }
        let document =
            (["mutation Transaction(\(variables.joined(separator: ", "))) @transaction {"] + fields + ["}"])
            .joined(separator: "\n")
        return WriteTask(
            name: "transaction",
            sentence:
                "Create one \(resource.singular) and one \(children.resource.singular) that refers to it, and change one \(target.resource.singular).",
            documents: [document], changed: target.changed(change)
        ) { style, execution in
            let row = JSONValue.object(try row(execution.number))
            var child = try children.row(execution.number, without: names)
            let patch = change.patch(execution.changes)
            guard style == .restResources else {
                guard execution.rounds.isEmpty else { return nil }
                child[relation.name] = ["ref": "a"]
                guard style.isGraphQL else {
                    let requests: [JSONValue] = [
                        Self.part("a", "POST", list + sparse(resource.key), row),
                        Self.part(
                            "b", "POST", children.list + children.sparse(children.resource.key), .object(child)),
                        Self.part("c", "PATCH", path + target.sparse(shown), patch),
                    ]
                    return [.writing(.post, "/batch", ["requests": .array(requests)], expecting: 200)]
                }
                var variables = JSONObject(["inputA": row, "inputB": .object(child), "patchC": patch])
                for member in keys.members { variables["\(member.key)C"] = member.value }
                return [
                    try TaskOperation(document: document, variables: variables).request(style, isWrite: true).writing
                ]
            }
            switch execution.rounds.count {
            case 0:
                return [
                    .writing(.post, list, row, expecting: 201), .writing(.patch, path, patch, expecting: 200),
                ]
            case 1:
                guard let made = execution.rounds[0].first?.body else { return nil }
                for (own, parent) in references { child[own] = try made.member(parent) }
                return [.writing(.post, children.list, .object(child), expecting: 201)]
            default: return nil
            }
        }
    }

    private static func part(_ id: String, _ method: String, _ path: String, _ body: JSONValue) -> JSONValue {
        ["id": .string(id), "method": .string(method), "path": .string(path), "body": body]
    }
}
