import DuetGraphQL

/// The input types of related rows.
extension CatalogueSchema {
    /// Returns the members of an input object that contain related rows.
    func nestedMembers(of shape: InputShape) -> [SchemaInputValue] {
        shape.nested.compactMap { member in
            let isToMany = member.relation.isToMany
            guard isToMany || member.hasObject(shape) else { return nil }
            let type = GraphQLType(named: catalogue.nestedType(of: member, in: shape))
            return SchemaInputValue(
                member.name, isToMany && shape.kind == .insert ? .list(.nonNull(type)) : type,
                description: Self.description(of: member, shape.kind))
        }
    }

    private static func description(of member: NestedMember, _ kind: Change.Kind) -> String {
        let fields = member.referenceNames.joined(separator: ", ")
        return switch (member.relation.isToMany, kind) {
        case (true, .insert): "New \(member.target.name), which refer to the new row."
        case (true, _): "Changes of \(member.target.name) that refer to the row."
        case (false, .insert): "A new \(member.target.singular), to which the new row refers, instead of \(fields)."
        case (false, _): "New values of the \(member.target.singular) to which the row refers."
        }
    }

    mutating func addNestedInputs() {
        for nested in catalogue.nestedInputTypes {
            types.append(
                .inputObject(
                    InputObjectType(
                        nested.name, fields: members(of: nested), description: description(of: nested))))
        }
    }

    private func members(of nested: NestedInputType) -> [SchemaInputValue] {
        let member = nested.member
        func list(_ name: String, _ verb: String, _ description: String) -> SchemaInputValue {
            let type = catalogue[nested.owner].map { catalogue.nestedType(verb, member, $0) } ?? ""
            return SchemaInputValue(name, .list(.nonNull(GraphQLType(named: type))), description: description)
        }
        func fields(_ fields: [Field], _ isRequired: (Field) -> Bool) -> [SchemaInputValue] {
            fields.map { field in
                let type = GraphQLType(named: field.type.graphQLName)
                return SchemaInputValue(
                    field.name, isRequired(field) ? .nonNull(type) : type, description: field.description)
            }
        }
        switch nested.content {
        case .row(let shape):
            // If the input can be a reference instead, the reader of inputs checks that no field is missing.
            let refers = member.refers
            let reference = SchemaInputValue(
                NestedMember.reference, .string,
                description:
                    "The response key of an earlier field of the same operation with `@transaction`, whose row is the related row. It is the only member then."
            )
            return (refers ? [reference] : []) + fields(shape.fields) { !refers && shape.isRequired($0) }
                + nestedMembers(of: shape)
        case .change(let shape):
            return fields(member.keyFields) { _ in true } + fields(shape.fields) { _ in false }
                + nestedMembers(of: shape)
        case .key: return fields(member.keyFields) { _ in true }
        case .changes:
            return
                (member.creates ? [list(NestedMember.create, "Create", "New rows.")] : [])
                + (member.updates
                    ? [list(NestedMember.update, "Update", "Existing rows, by their keys, with their new values.")]
                    : [])
                + (member.deletes ? [list(NestedMember.delete, "Delete", "The keys of the rows to remove.")] : [])
        }
    }

    private func description(of nested: NestedInputType) -> String {
        let target = nested.member.target
        return switch nested.content {
        case .row: nested.member.relation.isToMany ? "A new row of \(target.name)." : "A \(target.singular)."
        case .change: "A change of a row of \(target.name)."
        case .key: "The key of a row of \(target.name)."
        case .changes: "Changes of rows of \(target.name)."
        }
    }
}
