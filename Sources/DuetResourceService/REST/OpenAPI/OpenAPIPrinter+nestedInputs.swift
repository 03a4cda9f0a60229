import DuetJSON

/// The schemas of related rows in the bodies of writes.
extension OpenAPIPrinter {
    /// Adds the members that contain related rows to the properties of an object.
    func addNested(_ shape: InputShape, to properties: inout JSONObject) {
        for member in shape.nested {
            let type = JSONValue.schema(catalogue.nestedType(of: member, in: shape))
            if member.relation.isToMany {
                properties[member.name] =
                    shape.kind == .insert
                    ? [
                        "type": "array", "description": .string("New \(member.target.name), which refer to the row."),
                        "items": type,
                    ] : type
            } else {
                var choices: [JSONValue] = []
                if member.hasObject(shape) { choices.append(type) }
                if member.clears { choices.append(["type": "null"]) }
                properties[member.name] =
                    choices.count == 1
                    ? choices[0]
                    : [
                        "description": .string("The \(member.target.singular) to which the row refers."),
                        "oneOf": .array(choices),
                    ]
            }
        }
    }

    /// Returns the schema of an object with related rows.
    func schema(of nested: NestedInputType) -> JSONValue {
        let member = nested.member
        let target = member.target
        var properties = JSONObject()
        var required: [String] = []
        func add(_ fields: [Field]) {
            for field in fields {
                properties[field.name] = schema(of: Write.Input(field, required: false, field.description))
            }
        }
        let description: String
        switch nested.content {
        case .row(let shape):
            description = "A \(target.singular), as a part of the body of another row."
            if member.refers {
                properties[NestedMember.reference] = [
                    "type": "string",
                    "description":
                        "In a batch: the identifier of an earlier request, whose row is the related row. It is the only member then.",
                ]
            } else {
                required = shape.fields.filter(shape.isRequired).map(\.name)
            }
            add(shape.fields)
            addNested(shape, to: &properties)
        case .change(let shape):
            description = "A change of one of \(target.name)."
            required = member.keyFields.map(\.name)
            add(member.keyFields + shape.fields)
            addNested(shape, to: &properties)
        case .key:
            description = "The key of one of \(target.name)."
            required = member.keyFields.map(\.name)
            add(member.keyFields)
        case .changes:
            description = "Changes of \(target.name) that refer to the row."
            for (name, verb, isPermitted) in [
                (NestedMember.create, "Create", member.creates), (NestedMember.update, "Update", member.updates),
                (NestedMember.delete, "Delete", member.deletes),
            ] where isPermitted {
                guard let owner = catalogue[nested.owner] else { continue }
                properties[name] = [
                    "type": "array", "description": .string("The \(target.name) to \(name)."),
                    "items": .schema(catalogue.nestedType(verb, member, owner)),
                ]
            }
        }
        var object = JSONObject(["type": "object", "description": .string(description)])
        if !required.isEmpty { object["required"] = .array(required.map { .string($0) }) }
        object["unevaluatedProperties"] = false
        object["properties"] = .object(properties)
        return .object(object)
    }
}
