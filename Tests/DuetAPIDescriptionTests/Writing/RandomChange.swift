import DuetResourceService

/// The value of a field in a random change.
typealias RandomMember = (field: String, value: RandomValue)

/// The values of a row in a random change, and the changes of related rows.
struct RandomNode {
    /// The change of the row to which a row refers.
    enum ToOne {
        /// A new row, or new values of the existing row.
        case row(RandomNode)
        case clear
        /// A reference to the row of an earlier step of the transaction.
        case step(Int)
    }

    /// The changes of the rows that refer to a row. A new row has only new ones.
    struct ToMany {
        var create: [RandomNode] = []
        var update: [(key: [RandomMember], node: RandomNode)] = []
        var delete: [[RandomMember]] = []
    }

    var values: [RandomMember] = []
    var toOne: [(relation: Relation, action: ToOne)] = []
    var toMany: [(relation: Relation, changes: ToMany)] = []

    /// Returns the input of the row.
    func input(isUpdate: Bool) -> RandomInput {
        var members = values.map { ($0.field, RandomInput.value($0.value)) }
        for (relation, action) in toOne {
            switch action {
            case .row(let node): members.append((relation.name, node.input(isUpdate: isUpdate)))
            case .clear: members.append((relation.name, .value(.null)))
            case .step(let step): members.append((relation.name, .object([("ref", .text("s\(step)"))])))
            }
        }
        for (relation, changes) in toMany {
            let created = RandomInput.array(changes.create.map { $0.input(isUpdate: false) })
            guard isUpdate else {
                members.append((relation.name, created))
                continue
            }
            let updated = changes.update.map { key, node -> RandomInput in
                guard case .object(let values) = node.input(isUpdate: true) else { return .object([]) }
                return .object(RandomInput.members(key) + values)
            }
            let parts = [
                ("create", created, changes.create.isEmpty), ("update", .array(updated), updated.isEmpty),
                ("delete", .array(changes.delete.map { .object(RandomInput.members($0)) }), changes.delete.isEmpty),
            ]
            members.append((relation.name, .object(parts.filter { !$0.2 }.map { ($0.0, $0.1) })))
        }
        return .object(members)
    }
}

/// An input: JSON in REST, and a literal in GraphQL.
indirect enum RandomInput {
    case value(RandomValue)
    case text(String)
    case object([(String, RandomInput)])
    case array([RandomInput])

    static func members(_ members: [RandomMember]) -> [(String, RandomInput)] {
        members.map { ($0.field, .value($0.value)) }
    }

    func text(isGraphQL: Bool) -> String {
        switch self {
        case .value(let value): value.json
        case .text(let text): RawJSON.string(text)
        case .object(let members):
            "{\(members.map { "\(isGraphQL ? $0 : "\"\($0)\""):\($1.text(isGraphQL: isGraphQL))" }.joined(separator: ","))}"
        case .array(let elements): "[\(elements.map { $0.text(isGraphQL: isGraphQL) }.joined(separator: ","))]"
        }
    }
}

/// A random change of the rows of a resource.
struct RandomChange {
    enum Kind {
        case create(RandomNode)
        case createAll([RandomNode])
        case update(RandomNode)
        case replace([RandomMember])
        case delete
        case updateAll(RandomFilter, [RandomMember], maximum: Int?)
        case deleteAll(RandomFilter, maximum: Int?)
    }

    enum Precondition {
        case none
        /// The row has the state that it had before the request.
        case current
        /// No row has this state.
        case stale
        case existing
        case absent
    }

    var kind: Kind
    let resource: Resource
    /// The values of the key, in the order of the key; empty for a change of several rows and for a new row.
    var key: [RandomValue] = []
    var precondition = Precondition.none

    /// The path of the row.
    var path: String {
        let texts = key.map { $0.json.hasPrefix("\"") ? RawJSON.text($0.json) : $0.json }
        return "/\(resource.name)/\(KeySegment.text(texts))"
    }

    /// Returns the fields `If-Match` and `If-None-Match`.
    /// - Parameter tag: The entity tag of the row; nil if the row does not exist.
    func preconditions(_ tag: String?) -> [(name: String, argument: String, value: String)] {
        switch precondition {
        case .none: []
        case .current: [("If-Match", "ifMatch", tag ?? Self.staleTag)]
        case .stale: [("If-Match", "ifMatch", Self.staleTag)]
        case .existing: [("If-Match", "ifMatch", "*")]
        case .absent: [("If-None-Match", "ifNoneMatch", "*")]
        }
    }

    private static let staleTag = "\"AAAAAAAAAAAAAAAAAAAAAA\""

    /// True if the result is one row.
    var hasRow: Bool {
        switch kind {
        case .create, .update, .replace: true
        case .createAll, .delete, .updateAll, .deleteAll: false
        }
    }
}

/// Random changes in one transaction.
struct RandomRequest: CustomStringConvertible {
    enum Form: CaseIterable {
        /// One change in a request of its own.
        case single
        /// A batch, or a mutation with `@transaction`.
        case transaction
        /// New rows of one resource. GraphQL has no imports, so it gets the rows as a list.
        case ndjson, csv
    }

    let form: Form
    var changes: [RandomChange]

    var isImport: Bool { form == .ndjson || form == .csv }

    var description: String {
        "\(form): "
            + changes.map { change in
                let request = change.rest(nil)
                return "\(request.method) \(request.target) \(request.fields) \(request.body ?? "")"
            }.joined(separator: "; ")
    }
}

/// The outcome of a request, as both styles report it.
enum RandomOutcome {
    enum Failure {
        case invalid, conflict, missing, precondition, notPermitted
    }

    /// The results of the changes: rows, lists of rows or numbers, as JSON.
    case done([String])
    /// The reason, the step of a transaction (nil if it is not known), and the body of the response.
    case failed(Failure, step: Int?, String)
}
