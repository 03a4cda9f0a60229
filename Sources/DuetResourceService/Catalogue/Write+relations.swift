import DuetSQLDatabase

/// The resources that clients see.
struct RelatedResources {
    /// The resources, by their names.
    let named: [String: Resource]
    /// The resources that clients can change, by the names of their tables in lower case.
    let writable: [String: [Resource]]

    init(_ resources: [Resource]) {
        writable = Dictionary(grouping: resources.filter { !$0.writes.isEmpty }) { $0.table.lowercased() }
        named =
            writable.isEmpty
            ? [:] : Dictionary(resources.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The writes of related rows that follow from the rules of resources.
extension Write {
    /// Returns the writes of the rows of a resource's relations.
    /// - Parameter names: The names of the links of other resources. The function adds its own names.
    static func derivedOfRelations(
        of resource: Resource, in resources: RelatedResources, names: inout Set<String>
    ) -> [Write] {
        guard resource.hasItems, !resources.writable.isEmpty else { return [] }
        return resource.relations.filter(\.isToMany).flatMap { relation -> [Write] in
            guard let target = resources.named[relation.target] else { return [] }
            guard let join = relation.joins.first else {
                return [insert(into: relation, of: resource, target)].compactMap(\.self)
            }
            guard relation.joins.count == 1, target.hasItems,
                let table = resources.writable[join.table.lowercased()]?
                    .first(where: { $0.isLink(join, relation, from: resource, to: target) })
            else { return [] }
            return links(relation, of: resource, target, by: table, &names)
        }
    }

    /// Returns the write of new rows that refer to an existing row; nil if the fields that refer to it are not fields
    /// that a request can set. GraphQL has the mutation that creates a row of the target instead.
    private static func insert(into relation: Relation, of resource: Resource, _ target: Resource) -> Write? {
        guard let create = target.writes.create else { return nil }
        let references = relation.columns.compactMap { target.ownField(ofColumn: $0.to)?.name }
        guard references.count == relation.columns.count, references.allSatisfy(create.fields.contains),
            relation.columns.allSatisfy({ pair in resource.keyFields.contains { $0.column == pair.from } })
        else { return nil }
        let input = create.fields.compactMap(target.declaredField).map { field in
            let isGiven = references.contains(field.name) || create.set[field.name] != nil
            return Input(field, required: field.isRequiredForCreate && !isGiven, field.description)
        }
        var write = Write(
            "create\(resource.type)\(relation.name.capitalizedFirst)", .insert, on: resource.name,
            at: .related(relation.name),
            keyArguments: resource.keyFields.map { KeyArgument($0.name, $0.description) }, input: input,
            description: "Creates a row of \(target.name) that refers to the \(resource.singular).")
        write.origin = .derived
        write.acceptsList = target.hasKey
        write.hasMutation = false
        return write
    }

    /// Returns the writes that add and remove links between rows.
    /// - Parameter table: The resource whose rows are the links.
    private static func links(
        _ relation: Relation, of resource: Resource, _ target: Resource, by table: Resource, _ names: inout Set<String>
    ) -> [Write] {
        let isOnly = resource.relations.filter { $0.target == target.name && $0.joins.count == 1 }.count == 1
        let usual = "\(resource.type)\(isOnly ? target.type : relation.name.capitalizedFirst)"
        // Two pairs of types can have the same joined name.
        var name = usual
        var number = 2
        while !names.insert(name).inserted {
            name = "\(usual)\(number)"
            number += 1
        }
        func arguments(_ noun: String, _ fields: [Field]) -> [KeyArgument] {
            fields.map { field in
                KeyArgument("\(noun)\(fields.count == 1 ? "Id" : field.name.capitalizedFirst)", field.description)
            }
        }
        let isReflexive = target.singular == resource.singular
        let relatedNoun = isReflexive ? "related\(target.singular.capitalizedFirst)" : target.singular
        let keyArguments =
            arguments(resource.singular, resource.keyFields) + arguments(relatedNoun, target.keyFields)
        func write(_ verb: String, _ kind: Change.Kind, _ description: String) -> Write {
            var write = Write(
                verb + name, kind, on: resource.name, at: .relatedItem(relation.name, by: target.key),
                keyArguments: keyArguments, description: description)
            write.origin = .derived
            write.link = table.name
            return write
        }
        let (one, other) = (resource.singular, target.singular)
        var writes: [Write] = []
        if let create = table.writes.create, table.linkFields(relation).allSatisfy(create.fields.contains) {
            writes.append(
                write(
                    "link", .upsert,
                    "Adds \(other.withArticle) to the \(relation.name) of \(one.withArticle). An existing link remains."
                ))
        }
        if table.writes.delete != nil {
            writes.append(
                write(
                    "unlink", .delete,
                    "Removes \(other.withArticle) from the \(relation.name) of \(one.withArticle), but not the \(other) itself."
                ))
        }
        return writes
    }
}

extension Resource {
    /// Returns the names of the fields with which a row of an intermediate table refers to both ends of a relation.
    fileprivate func linkFields(_ relation: Relation) -> [String] {
        let columns = (relation.joins.first?.columns ?? []).map(\.to) + relation.columns.map(\.from)
        return columns.compactMap { visibleField(ofColumn: $0)?.name }
    }

    /// Returns true if the rows of the resource only link rows of two resources: they refer to the key of both ends,
    /// and the database or the rules set all other fields.
    fileprivate func isLink(
        _ join: Relation.Join, _ relation: Relation, from resource: Resource, to target: Resource
    ) -> Bool {
        func isKey(_ columns: [String], of resource: Resource) -> Bool {
            columns.count == resource.keyFields.count && Set(columns) == Set(resource.keyFields.map(\.column))
        }
        let columns = join.columns.map(\.to) + relation.columns.map(\.from)
        let names = Set(linkFields(relation))
        guard hasKey, join.conditions.isEmpty,
            isKey(join.columns.map(\.from), of: resource), isKey(relation.columns.map(\.to), of: target),
            names.count == columns.count
        else { return false }
        return (fields + concealed.fields).allSatisfy { field in
            names.contains(field.name) || !field.isOwnWritable || field.databaseValue != nil
                || writes.create?.set[field.name] != nil
        }
    }
}

extension Change {
    /// The two rows that a link connects. The change concerns the rows of the link's resource: an upsert adds the link
    /// unless it exists, and a delete removes it.
    struct Link: Sendable, Hashable {
        /// The name of the resource with the relation.
        let resource: String
        /// The key of its row. In a batch, it can become known during the transaction.
        var key: [SQLValue]
        /// The name of the relation.
        let relation: String
        /// The key of the related row. In a batch, it can become known during the transaction.
        var relatedKey: [SQLValue]
        /// True if the representations show the row with the relation after the change. False if they show the related
        /// row, only for the precondition.
        var showsRow = false
    }
}

extension String {
    /// The noun with its indefinite article.
    fileprivate var withArticle: String { "\("aeiou".contains(lowercased().first ?? "b") ? "an" : "a") \(self)" }
}
