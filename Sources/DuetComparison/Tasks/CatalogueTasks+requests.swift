import DuetJSON
import DuetResourceService

/// The paths and fields of the tasks.
extension CatalogueTasks {
    /// The path of the row of the ``TaskSubject``.
    var path: String { "/\(root.name)/\(KeySegment.text(subject.key))" }

    /// Returns the target of a relation.
    func target(_ relation: Relation) -> Resource? { catalogue[relation.target] }

    /// Returns about three fields of a resource: the fields of its key, and then other readable default fields.
    func fields(_ resource: Resource) -> [String] {
        let others = resource.defaultFields.filter {
            !resource.key.contains($0) && readable.contains($0, of: resource.name)
        }
        return resource.key + others.prefix(max(0, 3 - resource.key.count))
    }

    /// Returns a few fields of the rows of a relation, without the fields that REST omits by default.
    func fields(_ relation: Relation) -> [String] {
        guard let target = target(relation) else { return [] }
        let shown = target.defaultFields(of: relation).filter { readable.contains($0, of: target.name) }
        let key = target.key.filter(shown.contains)
        return key + shown.filter { !key.contains($0) }.prefix(max(0, 3 - key.count))
    }

    /// The relations that the tasks use, to-many relations first. Nearly every table has fewer than 12 relations. For
    /// other tables, the limit keeps the sentence of a task readable.
    var relations: [Relation] {
        let visible = root.relations.filter { !fields($0).isEmpty }
        return Array((visible.filter(\.isToMany) + visible.filter { !$0.isToMany }).prefix(12))
    }

    /// Returns true if the values of a listed row can replace the parameters in the path of this row. Each part of the
    /// key must have the same text in JSON and in a path.
    func fillsPaths(_ resource: Resource) -> Bool {
        resource.hasItems
            && resource.key.allSatisfy { name in
                switch resource.field(name)?.type {
                // JavaScript cannot represent all digits of a large JSON number, so a large integer must be a string.
                case .integer?, .bigInteger(_, .string)?, .uuid?: true
                default: false
                }
            }
    }

    /// Returns the path of a row, with the key's parameters in braces.
    func template(_ resource: Resource) -> String {
        "/\(resource.name)/" + resource.key.map { "{\($0)}" }.joined(separator: ",")
    }
}

/// The GraphQL documents of the tasks, as lines.
extension CatalogueTasks {
    /// Returns the selection of a relation.
    func selection(_ relation: Relation, _ members: [String]) -> [String] {
        let isPaged = if case .many = relation.size { true } else { false }
        let inner = members.map { "  \($0)" }
        return ["\(relation.name) {"] + (isPaged ? ["  nodes {"] + inner.map { "  \($0)" } + ["  }"] : inner) + ["}"]
    }

    /// Returns the document that reads the row of the ``TaskSubject``.
    func item(_ members: [String]) -> [String] {
        let arguments = zip(root.itemArguments, subject.key).map { argument, value in
            let isIdentifier = argument.name == "id"
            return
                "\(argument.name): \(isIdentifier ? JSONValue.string(value).compactText : literal(argument.field.name, value))"
        }
        return ["query Item {", "  \(root.singular)(\(arguments.joined(separator: ", "))) {"]
            + members.map { "    \($0)" } + ["  }", "}"]
    }

    /// Returns the GraphQL literal of a part of the key.
    private func literal(_ field: String, _ value: String) -> String {
        switch root.field(field)?.type {
        case .integer, .number, .boolean, .choice: value
        default: JSONValue.string(value).compactText
        }
    }

    /// Returns the document that reads a page of the list.
    func list(_ arguments: String, _ members: [String], _ head: String = "query List {") -> [String] {
        [head, "  \(root.name)(\(arguments)) {", "    nodes {"] + members.map { "      \($0)" } + ["    }", "  }", "}"]
    }
}
