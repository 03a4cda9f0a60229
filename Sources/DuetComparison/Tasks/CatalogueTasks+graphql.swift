import DuetJSON
import DuetResourceService

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
