import DuetGraphQL

/// The type `Mutation`, the input types and the payload types.
extension CatalogueSchema {
    mutating func addMutations(_ resolver: FieldResolver<any Sendable, any Sendable>?) throws {
        guard !catalogue.writes.isEmpty else { return }
        let writes = try catalogue.writes.map { try BoundWrite($0, catalogue) }
        types.append(
            .object(
                ObjectType(
                    "Mutation",
                    fields: writes.map { bound in
                        SchemaField(
                            bound.write.name, GraphQLType(named: Self.payloadType(of: bound)),
                            arguments: [
                                SchemaInputValue(
                                    "input", .nonNull(GraphQLType(named: bound.write.inputType)),
                                    description: "The values.")
                            ], description: bound.write.description, binding: bound, resolver: resolver)
                    },
                    description:
                        "The available changes. Each field is one transaction. A payload contains either the row or errors. If the payload is null, `errors` of the response contains the reason. The changes of the other fields remain in effect."
                )))
        for bound in writes { addInput(of: bound.write) }
        var seen: Set<String> = []
        for bound in writes where seen.insert(Self.payloadType(of: bound)).inserted { addPayload(of: bound) }
        addErrors()
    }

    private mutating func addInput(of write: Write) {
        let keys = write.keyArguments.map {
            SchemaInputValue($0.name, .nonNull(.id), description: $0.description)
        }
        let members = write.input.map { input in
            let type = GraphQLType(named: input.field.type.graphQLName)
            return SchemaInputValue(
                input.field.name, input.isRequired ? .nonNull(type) : type, description: input.description)
        }
        types.append(
            .inputObject(
                InputObjectType(
                    write.inputType, fields: keys + members, description: "The values of `\(write.name)`.")))
    }

    private static func payloadType(of bound: BoundWrite) -> String {
        bound.write.kind == .delete ? "Delete\(bound.resource.type)Payload" : "\(bound.resource.type)Payload"
    }

    private mutating func addPayload(of bound: BoundWrite) {
        let resource = bound.resource
        let isDelete = bound.write.kind == .delete
        let result =
            isDelete
            ? SchemaField(
                "deletedId", .id,
                description: "The key of the \(resource.singular) that was removed; null if there are errors.",
                binding: PayloadField.deletedIdentifier)
            : SchemaField(
                resource.singular, GraphQLType(named: resource.type),
                description: "The \(resource.singular) after the change; null if there are errors.",
                binding: PayloadField.row)
        types.append(
            .object(
                ObjectType(
                    Self.payloadType(of: bound),
                    fields: [
                        result,
                        SchemaField(
                            "errors", .nonNull(.list(.nonNull(GraphQLType(named: "UserError")))),
                            description: "The reasons why nothing was changed; empty after a change.",
                            binding: PayloadField.errors),
                    ], description: isDelete ? "The result of a removal." : "The result of a change.")))
    }

    private mutating func addErrors() {
        let common = [
            SchemaField(
                "message", .nonNull(.string), description: "A sentence for the user that says what to do.",
                binding: UserErrorField.message),
            SchemaField(
                "field", .list(.nonNull(.string)),
                description:
                    "The path of the invalid argument, beginning with `input`; null if the error does not concern a single argument.",
                binding: UserErrorField.field),
        ]
        types.append(
            .interface(
                InterfaceType("UserError", fields: common, description: "The reason why a change was not made.")))
        for kind in UserError.Kind.allCases {
            let key = SchemaField(
                "key", .string, description: "The key that already exists, by its name in REST.",
                binding: UserErrorField.key)
            types.append(
                .object(
                    ObjectType(
                        kind.rawValue, implements: ["UserError"], fields: common + (kind == .conflict ? [key] : []),
                        description: kind.description)))
        }
    }
}

extension Write {
    /// The name of the input's type: `CreateEmployeeInput`.
    var inputType: String { name.prefix(1).uppercased() + name.dropFirst() + "Input" }
}
