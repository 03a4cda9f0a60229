/// An operation of the REST API: a path and a method. Routes and the OpenAPI document are derived from the operations
/// of a catalogue. The type is a class, so that passing an operation to a function does not copy the properties.
public final class RESTOperation: Sendable {
    /// The rows that a path identifies.
    public enum Rows: Sendable, Hashable {
        /// The rows of the resource: `/employees`.
        case list
        /// The row with a key: `/employees/{employeeNumber}`.
        case item
        /// The related rows of a row: `/employees/{employeeNumber}/titles`.
        case related(Relation)
        /// A related row of a row. The key of the row and the given fields of the related resource identify the related
        /// row: `/employees/{employeeNumber}/departments/{departmentNumber}`.
        case relatedItem(Relation, by: [String])
    }

    /// The resource in the first segment of the path.
    public let resource: Resource
    /// The resource of the rows in the response: the target of the relation in the path, or the resource if the path
    /// has no relation.
    public let shown: Resource
    /// The rows that the path identifies.
    public let rows: Rows
    /// The write; nil for a read.
    public let write: Write?
    /// True if clients can send the entity tag of the response in `If-Match` of a write. In this case the tag is a
    /// ``BodyDigest``. The tag need not depend on the media type, because a JSON body, an NDJSON body and a CSV body
    /// never have equal bytes.
    public let guardsWrites: Bool
    /// The key fields of the row in the path.
    let key: PathKey
    /// The fields that identify the related row in the path.
    let relatedKey: PathKey

    /// The fields whose values form one segment of a path. The joined names are stored, because each request needs
    /// them.
    struct PathKey: Sendable {
        let fields: [Field]
        /// The names of the path parameters, one for each field.
        let names: [String]
        /// The comma-separated names of the path parameters.
        let parameters: String

        init(_ fields: [Field], names: [String]? = nil) {
            self.fields = fields
            self.names = names ?? fields.map(\.name)
            parameters = self.names.joined(separator: ",")
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
            let fields = fields.compactMap(shown.field)
            // The parameters of a path have different names.
            let isUnique = Set(fields.map(\.name)).isDisjoint(with: resource.key)
            let noun = shown.singular == resource.singular ? "related\(shown.type)" : shown.singular
            relatedKey = PathKey(
                fields, names: isUnique ? nil : fields.map { "\(noun)\($0.name.capitalizedFirst)" })
        } else {
            relatedKey = PathKey([])
        }
    }

    /// The HTTP method, such as `GET`.
    public var method: String {
        switch write?.kind {
        case nil: "GET"
        case .insert: "POST"
        case .update: "PATCH"
        case .delete: "DELETE"
        case .upsert, .replace: "PUT"
        }
    }

    /// The path template, with parameters in braces.
    public var path: String {
        let collection = "/\(resource.name)"
        let item = "\(collection)/\(Self.template(of: resource.key))"
        return switch rows {
        case .list: collection
        case .item: item
        case .related(let relation): "\(item)/\(relation.name)"
        case .relatedItem(let relation, _): "\(item)/\(relation.name)/\(Self.template(of: relatedKey.names))"
        }
    }

    /// The comma-separated names of the fields of the key in the path, and of those that identify a related row in the
    /// path; empty if the path has no such segment.
    package var keyParameters: (key: String, relatedKey: String) { (key.parameters, relatedKey.parameters) }

    /// Returns the path segment with the parameters of a key: `{orderId},{productId}`.
    private static func template(of fields: [String]) -> String { fields.map { "{\($0)}" }.joined(separator: ",") }

    /// The relation in the path; nil if the path contains no relation.
    public var relation: Relation? {
        switch rows {
        case .list, .item: nil
        case .related(let relation), .relatedItem(let relation, _): relation
        }
    }

    /// The names of the path parameters that form an entire segment and whose values are integers.
    public var integerParameters: Set<String> {
        func isInteger(_ field: Field) -> Bool {
            switch field.type {
            case .integer, .bigInteger: true
            default: false
            }
        }
        return Set(
            [key, relatedKey].filter { $0.fields.count == 1 && isInteger($0.fields[0]) }.flatMap(\.names))
    }

    /// True if the write changes all rows that match a filter.
    public var isBulkWrite: Bool { write?.isMany == true }

    /// True if the write adds or removes a link between two rows.
    public var isLink: Bool { write?.link != nil }

    /// True if the response shows only a new row, although the path identifies the related rows of another row.
    package var showsNewRow: Bool {
        if case .related = rows, write?.origin == .derived { true } else { false }
    }

    /// True if the response is a list, for which the client can specify filters and an order.
    public var isList: Bool {
        switch rows {
        case .list, .related: write == nil
        case .item, .relatedItem: false
        }
    }

    /// The default maximum number of rows of a list in JSON; nil for all rows.
    var pageSize: Int? {
        switch rows {
        case .related(let relation): if case .many(let size) = relation.size { size } else { nil }
        case .list, .item, .relatedItem: resource.pageSize
        }
    }

    /// The names of the query parameters, except those with an operator and those of a relation.
    public var parameters: [String] {
        if isLink { return [] }
        return isBulkWrite
            ? ParameterNode.bulkParameters(of: shown)
            : ParameterNode.parameters(of: shown, by: relation, isItem: !isList)
    }

    /// A one-line summary for the documentation.
    public var summary: String {
        if let write { return write.description.firstSentence }
        return switch rows {
        case .list: resource.isPaged ? "The \(resource.name) in pages" : "All \(resource.name)"
        case .item: "One \(resource.singular)"
        case .related(let relation): relation.description
        case .relatedItem: shown.description
        }
    }
}

extension Catalogue {
    /// All REST operations, ordered by resource and path.
    public var operations: [RESTOperation] {
        let writes = Dictionary(grouping: writes, by: \.resource)
        return resources.flatMap { operations(of: $0, writes[$0.name] ?? []) }
    }

    private func operations(of resource: Resource, _ writes: [Write]) -> [RESTOperation] {
        /// Returns the read operation and the write operations of a path.
        func operations(
            _ rows: RESTOperation.Rows, _ shown: Resource, at place: Write.Place, guardsWrites: Bool = true,
            isReadable: Bool = true
        ) -> [RESTOperation] {
            // The write of one new row also accepts a list of new rows.
            let there: [Write?] =
                (isReadable ? [nil] : []) + writes.filter { $0.place == place && !($0.isMany && $0.kind == .insert) }
            return there.map {
                RESTOperation(rows, of: resource, showing: shown, write: $0, guardsWrites: guardsWrites)
            }
        }
        let list = operations(
            .list, resource, at: .list, guardsWrites: false, isReadable: resource.collection != .none)
        guard resource.hasItems else { return list }
        var all = list + operations(.item, resource, at: .item)
        for relation in resource.relations where relation.isToMany {
            guard let target = self[relation.target] else { continue }
            let changes = writes.filter { $0.place.relation == relation.name }
            all += operations(
                .related(relation), target, at: .related(relation.name),
                guardsWrites: changes.contains { $0.origin == .declared })
            var places: [Write.Place] = []
            for place in changes.map(\.place) where !places.contains(place) {
                places.append(place)
                guard case .relatedItem(_, let fields) = place else { continue }
                all += operations(.relatedItem(relation, by: fields), target, at: place)
            }
        }
        return all
    }
}

extension String {
    /// The first sentence of the text without the final period.
    var firstSentence: String {
        let sentence = firstRange(of: ". ").map { self[..<$0.lowerBound] } ?? self[...]
        return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
    }

    /// The text with a capital first letter: `Titles` for `titles`.
    package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
