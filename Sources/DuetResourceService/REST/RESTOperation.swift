/// One method at one path of a catalogue's resources. Routes and the OpenAPI document are both made of these. An object, since each
/// request passes it on.
public final class RESTOperation: Sendable {
    /// The rows that a path names.
    public enum Rows: Sendable, Hashable {
        /// The rows of the resource: `/employees`.
        case list
        /// A row by its key: `/employees/{employeeNumber}`.
        case item
        /// The rows of a relation of a row: `/employees/{employeeNumber}/titles`.
        case related(Relation)
        /// A row of a relation of a row, by fields: `/employees/{employeeNumber}/departments/{departmentNumber}`.
        case relatedItem(Relation, by: [String])
    }

    /// The resource that the path begins with.
    public let resource: Resource
    /// The resource of the rows that the response shows: the same, or the target of the relation.
    public let shown: Resource
    /// The rows that the path names.
    public let rows: Rows
    /// The change; nil for a read.
    public let write: Write?
    /// True if `If-Match` of a write may contain the entity tag of the response. The tag is then a ``BodyDigest``, which does not depend on
    /// the media type: JSON, NDJSON and CSV never have the same bytes.
    public let guardsWrites: Bool
    /// The key of the row in the path.
    let key: PathKey
    /// The key of the related row in the path.
    let relatedKey: PathKey

    /// Fields whose values are one segment of a path. It is made once, since each request reads it.
    struct PathKey: Sendable {
        let fields: [Field]
        /// The names of the fields with commas between them.
        let parameters: String

        init(_ fields: [Field]) {
            self.fields = fields
            parameters = fields.map(\.name).joined(separator: ",")
        }
    }

    init(_ rows: Rows, of resource: Resource, showing shown: Resource, write: Write?, guardsWrites: Bool) {
        self.rows = rows
        self.resource = resource
        self.shown = shown
        self.write = write
        self.guardsWrites = guardsWrites
        if case .list = rows { key = PathKey([]) } else { key = PathKey(resource.keyFields) }
        if case .relatedItem(_, let fields) = rows {
            relatedKey = PathKey(fields.compactMap(shown.field))
        } else {
            relatedKey = PathKey([])
        }
    }

    /// The method, such as `GET`.
    public var method: String {
        switch write?.target {
        case nil: "GET"
        case .newItem, .newRelated: "POST"
        case .item: "PATCH"
        case .removal: "DELETE"
        case .relatedItem: "PUT"
        }
    }

    /// The path, with parameters in braces.
    public var path: String {
        let collection = "/\(resource.name)"
        let item = "\(collection)/\(Self.template(of: resource.key))"
        return switch rows {
        case .list: collection
        case .item: item
        case .related(let relation): "\(item)/\(relation.name)"
        case .relatedItem(let relation, let fields): "\(item)/\(relation.name)/\(Self.template(of: fields))"
        }
    }

    /// The parameters of a key in one segment of a path: `{orderId},{productId}`.
    private static func template(of fields: [String]) -> String { fields.map { "{\($0)}" }.joined(separator: ",") }

    /// The relation that the path names.
    public var relation: Relation? {
        switch rows {
        case .list, .item: nil
        case .related(let relation), .relatedItem(let relation, _): relation
        }
    }

    /// The names of the parameters in the path that are a whole segment and a whole number.
    public var integerParameters: Set<String> {
        func isInteger(_ field: Field) -> Bool {
            switch field.type {
            case .integer, .bigInteger: true
            default: false
            }
        }
        return Set(
            [key.fields, relatedKey.fields].filter { $0.count == 1 }.flatMap(\.self).filter(isInteger).map(\.name))
    }

    /// True if the response is a list that the query can filter and order.
    public var isList: Bool {
        switch rows {
        case .list, .related: write == nil
        case .item, .relatedItem: false
        }
    }

    /// The number of rows of a list in JSON if a request names none; nil for all.
    var pageSize: Int? {
        switch rows {
        case .related(let relation): if case .many(let size) = relation.size { size } else { nil }
        case .list, .item, .relatedItem: resource.pageSize
        }
    }

    /// The query parameters, without those with an operator and those of relations.
    public var parameters: [String] { ParameterNode.parameters(of: shown, by: relation, isItem: !isList) }

    /// One line for the documentation.
    public var summary: String {
        if let write { return write.description.firstSentence }
        return switch rows {
        case .list: resource.isPaged ? "The \(resource.name), a page at a time" : "All \(resource.name)"
        case .item: "One \(resource.singular)"
        case .related(let relation): relation.description
        case .relatedItem: shown.description
        }
    }
}

extension Catalogue {
    /// Everything that can be asked over REST: resource by resource, each path after the other.
    public var operations: [RESTOperation] { resources.flatMap(operations) }

    private func operations(of resource: Resource) -> [RESTOperation] {
        let writes = writes.filter { $0.resource == resource.name }
        /// The read of a path, then the writes there.
        func operations(
            _ rows: RESTOperation.Rows, _ shown: Resource, guardsWrites: Bool = true, isReadable: Bool = true,
            _ isWrite: (Write.Target) -> Bool
        ) -> [RESTOperation] {
            let there: [Write?] = (isReadable ? [nil] : []) + writes.filter { isWrite($0.target) }
            return there.map {
                RESTOperation(rows, of: resource, showing: shown, write: $0, guardsWrites: guardsWrites)
            }
        }
        let list = operations(.list, resource, guardsWrites: false, isReadable: resource.collection != .none) {
            $0 == .newItem
        }
        guard resource.hasItems else { return list }
        var all = list + operations(.item, resource) { $0 == .item || $0 == .removal }
        for relation in resource.relations where relation.isToMany {
            guard let target = self[relation.target] else { continue }
            let targets = writes.map(\.target).filter { $0.relation == relation.name }
            all += operations(.related(relation), target, guardsWrites: !targets.isEmpty) {
                $0 == .newRelated(relation.name)
            }
            for case .relatedItem(let name, let fields) in targets {
                all += operations(.relatedItem(relation, by: fields), target) { $0 == .relatedItem(name, by: fields) }
            }
        }
        return all
    }
}

extension String {
    /// The text up to its first full stop, which is left out.
    var firstSentence: String {
        let sentence = firstRange(of: ". ").map { self[..<$0.lowerBound] } ?? self[...]
        return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
    }

    /// `titles` as `Titles`.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
