/// A member in the input of a derived write that contains related rows. It exists only if the rules of the related
/// resource permit a change.
struct NestedMember: Sendable {
    /// The relation. It has the name of the member.
    let relation: Relation
    /// The resource of the related rows.
    let target: Resource
    /// The fields with which one row refers to the other: fields of the row itself for a to-one relation, and fields of
    /// the related rows for a to-many relation.
    let references: [Field]
    /// True if the member can contain new rows.
    let creates: Bool
    /// True if the member can contain changes of existing rows.
    let updates: Bool
    /// True if the member can contain keys of rows to remove. Only to-many relations have them.
    let deletes: Bool
    /// True if the member can be null, which removes the reference. Only to-one relations have it.
    let clears: Bool

    var name: String { relation.name }
    /// The names of ``references``.
    var referenceNames: [String] { references.map(\.name) }
    /// True if the member can refer to the row of an earlier change in the same transaction. A field of the related
    /// rows with the name of the member `ref` takes precedence.
    var refers: Bool {
        !relation.isToMany && creates
            && target.field(Self.reference) == nil && target.relation(Self.reference) == nil
    }
    /// The fields that identify a row of a to-many relation, except those that refer to the parent row.
    var keyFields: [Field] { target.keyFields.filter { !referenceNames.contains($0.name) } }

    /// Returns true if the member can contain changes of a kind.
    func permits(_ kind: Change.Kind) -> Bool {
        switch kind {
        case .insert: creates
        case .update: updates
        case .delete: deletes
        case .upsert, .replace: false
        }
    }

    /// The name of the member that refers to the row of an earlier change.
    static let reference = "ref"
    /// The names of the members with the changes of a to-many relation.
    static let (create, update, delete) = ("create", "update", "delete")
}

/// The members of an object in the input of a derived write that describes a row.
struct InputShape: Sendable {
    /// The resource of the row.
    let resource: Resource
    /// The kind of the change: an insert or an update.
    let kind: Change.Kind
    /// The fields of the row.
    let fields: [Field]
    /// The names of the fields that a new row needs.
    let required: Set<String>
    /// The related rows.
    let nested: [NestedMember]

    /// Returns the to-one member that sets a field, too; nil if there is none.
    func alternative(to field: Field) -> NestedMember? {
        nested.first { !$0.relation.isToMany && $0.referenceNames.contains(field.name) }
    }

    /// True if the input is invalid without the field, and no other member can set it.
    func isRequired(_ field: Field) -> Bool { required.contains(field.name) && alternative(to: field) == nil }
}

extension Catalogue {
    /// Returns the members in the input of a write; nil if the input cannot contain related rows.
    func inputShape(of write: Write) -> InputShape? {
        guard write.origin == .derived, write.kind == .insert || (write.kind == .update && write.place == .item),
            let resource = try? changedResource(of: write)
        else { return nil }
        var excluded: [String] = []
        if let name = write.place.relation, let relation = self[write.resource]?.declaredRelation(name) {
            excluded = relation.columns.compactMap { resource.ownField(ofColumn: $0.to)?.name }
        }
        return inputShape(resource, write.kind, except: excluded)
    }

    /// Returns the members of a row in the input of a derived write.
    /// - Parameter excluded: The names of the fields that the service sets, because they refer to the parent row.
    func inputShape(_ resource: Resource, _ kind: Change.Kind, except excluded: [String] = []) -> InputShape {
        let rules = resource.writes
        let names = (kind == .insert ? rules.create?.fields : rules.update?.fields) ?? []
        let set = (kind == .insert ? rules.create?.set : rules.update?.set) ?? [:]
        let fields = names.filter { !excluded.contains($0) }.compactMap(resource.declaredField)
        let required = kind == .insert ? fields.filter { $0.isRequiredForCreate && set[$0.name] == nil } : []
        return InputShape(
            resource: resource, kind: kind, fields: fields, required: Set(required.map(\.name)),
            nested: nestedMembers(of: resource, kind, fields).filter { member in
                member.relation.isToMany || !member.referenceNames.contains(where: excluded.contains)
            })
    }

    /// Returns the members with related rows.
    /// - Parameter fields: The fields of the row that the input can set.
    private func nestedMembers(of resource: Resource, _ kind: Change.Kind, _ fields: [Field]) -> [NestedMember] {
        guard kind == .insert || kind == .update, resource.hasKey else { return [] }
        return resource.relations.compactMap { relation in
            guard relation.joins.isEmpty, let target = self[relation.target] else { return nil }
            return relation.isToMany
                ? toMany(relation, of: resource, target, kind) : toOne(relation, of: resource, target, kind, fields)
        }
    }

    /// Returns the member with the rows that refer to a row. The fields that refer to the parent row must be fields
    /// that the caller may set.
    private func toMany(
        _ relation: Relation, of resource: Resource, _ target: Resource, _ kind: Change.Kind
    ) -> NestedMember? {
        guard relation.columns.allSatisfy({ pair in resource.keyFields.contains { $0.column == pair.from } }) else {
            return nil
        }
        let references = relation.columns.compactMap { target.ownField(ofColumn: $0.to) }
        guard references.count == relation.columns.count else { return nil }
        let names = references.map(\.name)
        let rules = target.writes
        let isIdentified = target.hasItems && !target.key.allSatisfy(names.contains)
        func hasOthers(_ fields: [String]) -> Bool { !fields.allSatisfy(names.contains) }
        let creates =
            rules.create.map { create in
                names.allSatisfy(create.fields.contains) && hasOthers(create.fields)
            } ?? false
        let isUpdate = kind == .update && isIdentified
        let updates = isUpdate && rules.update.map { hasOthers($0.fields) } ?? false
        let deletes = isUpdate && rules.delete != nil
        guard creates || updates || deletes else { return nil }
        return NestedMember(
            relation: relation, target: target, references: references, creates: creates, updates: updates,
            deletes: deletes, clears: false)
    }

    /// Returns the member with the row to which a row refers. The fields with which the row refers to it must be fields
    /// that the caller may set.
    private func toOne(
        _ relation: Relation, of resource: Resource, _ target: Resource, _ kind: Change.Kind, _ fields: [Field]
    ) -> NestedMember? {
        let references = relation.columns.compactMap { resource.ownField(ofColumn: $0.from) }
        // If both rows have the same key, the optional row refers to the other one.
        let isReverse =
            relation.size == .one(isOptional: true) && references.allSatisfy { resource.key.contains($0.name) }
        guard target.hasItems, !isReverse, references.count == relation.columns.count,
            relation.columns.count == target.keyFields.count,
            relation.columns.allSatisfy({ pair in target.keyFields.contains { $0.column == pair.to } })
        else { return nil }
        let rules = target.writes
        let isOwn = references.allSatisfy { field in fields.contains { $0.name == field.name } }
        let creates = isOwn && rules.create.map { !$0.fields.isEmpty } ?? false
        let clears = isOwn && references.allSatisfy(\.isNullable)
        let updates = kind == .update && rules.update.map { !$0.fields.isEmpty } ?? false
        let member = NestedMember(
            relation: relation, target: target, references: references, creates: creates, updates: updates,
            deletes: false, clears: clears)
        // A change of the row itself contains no new related row.
        guard kind == .update ? updates || member.refers : creates || updates else { return nil }
        return member
    }
}

/// An object type of the input of derived writes, for related rows.
struct NestedInputType: Sendable {
    /// The members of the type.
    enum Content: Sendable {
        /// A new row of a to-many relation, or a new or changed row of a to-one relation.
        case row(InputShape)
        /// A change of a row of a to-many relation: its key and the new values.
        case change(InputShape)
        /// The key of a row of a to-many relation.
        case key
        /// The changes of the rows of a to-many relation.
        case changes
    }

    /// The name of the type, in GraphQL and in OpenAPI.
    let name: String
    let member: NestedMember
    let content: Content
    /// The name of the resource with the relation.
    let owner: String
}

extension Catalogue {
    /// The types of related rows in the inputs of derived writes.
    var nestedInputTypes: [NestedInputType] {
        resources.flatMap { resource -> [NestedInputType] in
            let rules = resource.writes
            var types: [NestedInputType] = []
            if rules.create != nil { types += nestedInputTypes(of: inputShape(resource, .insert)) }
            if let update = rules.update, !update.fields.isEmpty, resource.hasItems {
                types += nestedInputTypes(of: inputShape(resource, .update))
            }
            var seen: Set<String> = []
            return types.filter { seen.insert($0.name).inserted }
        }
    }

    private func nestedInputTypes(of shape: InputShape) -> [NestedInputType] {
        shape.nested.flatMap { member -> [NestedInputType] in
            func type(_ content: NestedInputType.Content, _ name: String) -> NestedInputType {
                NestedInputType(name: name, member: member, content: content, owner: shape.resource.name)
            }
            guard member.relation.isToMany else {
                guard member.hasObject(shape) else { return [] }
                let hasValues = shape.kind == .insert || member.updates
                let inner =
                    hasValues
                    ? inputShape(member.target, shape.kind)
                    : InputShape(resource: member.target, kind: shape.kind, fields: [], required: [], nested: [])
                return [type(.row(inner), nestedType(of: member, in: shape))]
            }
            let excluded = member.referenceNames
            var types: [NestedInputType] = []
            if member.creates {
                let inner = inputShape(member.target, .insert, except: excluded)
                types.append(type(.row(inner), nestedType("Create", member, shape.resource)))
            }
            guard shape.kind == .update else { return types }
            if member.updates {
                let inner = inputShape(member.target, .update, except: excluded)
                types.append(type(.change(inner), nestedType("Update", member, shape.resource)))
            }
            if member.deletes { types.append(type(.key, nestedType("Delete", member, shape.resource))) }
            types.append(type(.changes, nestedType(of: member, in: shape)))
            return types
        }
    }

    /// Returns the name of the type of a member. For a to-many relation, this is the type of an element in the input of
    /// a new row, and the type of the changes in the input of a changed row.
    func nestedType(of member: NestedMember, in shape: InputShape) -> String {
        let verb = shape.kind == .insert ? "Create" : member.relation.isToMany ? "Change" : "Update"
        return nestedType(verb, member, shape.resource)
    }

    /// Returns the name of a type of related rows, such as `CreateOrderOrderDetailInput`. If several relations lead to
    /// the same resource, the names contain the names of the relations.
    func nestedType(_ verb: String, _ member: NestedMember, _ resource: Resource) -> String {
        let isOnly = resource.relations.filter { $0.target == member.relation.target && $0.joins.isEmpty }.count == 1
        let noun = isOnly ? member.target.type : member.name.capitalizedFirst
        return "\(verb)\(resource.type)\(noun)Input"
    }
}

extension NestedMember {
    /// True if the member of a to-one relation can be an object.
    func hasObject(_ shape: InputShape) -> Bool { shape.kind == .insert ? creates : updates || refers }
}
