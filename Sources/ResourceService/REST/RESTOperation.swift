/// One method at one path of a catalogue's resources. Routes and the OpenAPI document are both made of these.
public struct RESTOperation: Sendable {
    /// What a request asks for, or changes.
    public enum Kind: Sendable {
        /// The rows of a resource: `GET /employees`.
        case list
        /// A row by its key: `GET /employees/{employeeNumber}`.
        case item
        /// A new row: `POST /employees`.
        case create(Write)
        /// Changes to a row: `PATCH /employees/{employeeNumber}`.
        case update(Write)
        /// The removal of a row: `DELETE /employees/{employeeNumber}`.
        case remove(Write)
        /// The rows of a relation: `GET /employees/{employeeNumber}/titles`.
        case related(Relation)
        /// A new row of a relation: `POST /employees/{employeeNumber}/titles`.
        case add(Write, Relation)
        /// A row of a relation by fields: `GET /employees/{employeeNumber}/departments/{departmentNumber}`.
        case relatedItem(Relation, by: [String])
        /// The same row, made or replaced with `PUT`.
        case replace(Write, Relation, by: [String])
    }

    /// The resource that the path begins with.
    public let resource: Resource
    /// The resource of the rows that the response shows: the same, or the target of the relation.
    public let shown: Resource
    /// What a request asks for, or changes.
    public let kind: Kind

    /// The method, such as `GET`.
    public var method: String {
        switch kind {
        case .list, .item, .related, .relatedItem: "GET"
        case .create, .add: "POST"
        case .update: "PATCH"
        case .remove: "DELETE"
        case .replace: "PUT"
        }
    }

    /// The path, with parameters in braces.
    public var path: String {
        let collection = "/\(resource.name)"
        let item = collection + resource.key.map { "/{\($0)}" }.joined()
        switch kind {
        case .list, .create: return collection
        case .item, .update, .remove: return item
        case .related(let relation), .add(_, let relation): return "\(item)/\(relation.name)"
        case .relatedItem(let relation, let fields), .replace(_, let relation, let fields):
            return "\(item)/\(relation.name)" + fields.map { "/{\($0)}" }.joined()
        }
    }

    /// The query parameters, without those with an operator and those of relations.
    public var parameters: [String] {
        switch kind {
        case .list: RESTReader.parameters(ofList: resource)
        case .item, .create, .update, .remove: RESTReader.parameters(ofItem: resource)
        case .related(let relation): RESTReader.parameters(of: relation, to: shown)
        case .add, .relatedItem, .replace: RESTReader.parameters(ofItem: shown)
        }
    }

    /// One line for the documentation.
    public var summary: String {
        switch kind {
        case .list: resource.collection == .pages ? "The \(resource.name), a page at a time" : "All \(resource.name)"
        case .item: "One \(resource.singular)"
        case .create(let write), .update(let write), .remove(let write), .add(let write, _), .replace(let write, _, _):
            write.description.firstSentence
        case .related(let relation): relation.description
        case .relatedItem: shown.description
        }
    }

    /// The write; nil for a read.
    public var write: Write? {
        switch kind {
        case .list, .item, .related, .relatedItem: nil
        case .create(let write), .update(let write), .remove(let write), .add(let write, _), .replace(let write, _, _):
            write
        }
    }
}

extension Catalogue {
    /// Everything that can be asked over REST: resource by resource, each path after the other.
    public var operations: [RESTOperation] { resources.flatMap(operations) }

    private func operations(of resource: Resource) -> [RESTOperation] {
        let writes = writes.filter { $0.resource == resource.name }
        var kinds: [RESTOperation.Kind] = resource.collection == .none ? [] : [.list]
        kinds += writes.filter { $0.target == .newItem }.map { .create($0) }
        var operations = kinds.map { RESTOperation(resource: resource, shown: resource, kind: $0) }
        guard resource.hasItems else { return operations }
        kinds = [.item]
        kinds += writes.filter { $0.target == .item }.map { .update($0) }
        kinds += writes.filter { $0.target == .removal }.map { .remove($0) }
        operations += kinds.map { RESTOperation(resource: resource, shown: resource, kind: $0) }
        for relation in resource.relations where relation.isToMany {
            guard let target = self[relation.target] else { continue }
            kinds = [.related(relation)]
            for write in writes {
                switch write.target {
                case .newRelated(relation.name): kinds.append(.add(write, relation))
                case .relatedItem(relation.name, let fields):
                    kinds += [.relatedItem(relation, by: fields), .replace(write, relation, by: fields)]
                default: break
                }
            }
            operations += kinds.map { RESTOperation(resource: resource, shown: target, kind: $0) }
        }
        return operations
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
