import DuetGraphQL

/// The type `Mutation`, the input types and the payload types.
extension CatalogueSchema {
    mutating func addMutations(_ resolver: FieldResolver<any Sendable, any Sendable>?) throws {
        guard !catalogue.writes.isEmpty else { return }
        let writes = try catalogue.writes.filter(\.hasMutation).map { try BoundWrite($0, catalogue) }
        types.append(
            .object(
                ObjectType(
                    "Mutation",
                    fields: writes.map { bound in
                        SchemaField(
                            bound.write.name, GraphQLType(named: Self.payloadType(of: bound)),
                            arguments: Self.arguments(of: bound), description: bound.write.description, binding: bound,
                            resolver: resolver)
                    },
                    description:
                        "The available changes. Each field is one transaction\(catalogue.hasDerivedWrites ? ", unless the operation has the directive `@transaction`" : ""). A payload contains either the row or errors. If the payload is null, `errors` of the response contains the reason. The changes of the other fields remain in effect."
                )))
        addNestedInputs()
        var seen: Set<String> = []
        for bound in writes where bound.write.hasInput && seen.insert(bound.write.inputType).inserted {
            addInput(of: bound.write)
        }
        for bound in writes where seen.insert(Self.payloadType(of: bound)).inserted { addPayload(of: bound) }
        addErrors()
    }

    private static func arguments(of bound: BoundWrite) -> [SchemaInputValue] {
        let write = bound.write
        if write.link != nil {
            return write.keyArguments.map { SchemaInputValue($0.name, .nonNull(.id), description: $0.description) }
        }
        let hasKey = write.origin == .derived && write.place == .item && write.kind != .replace
        let keys = hasKey ? keyArguments(of: bound.resource) : []
        var preconditions: [SchemaInputValue] = []
        if write.origin == .derived, write.place == .item {
            preconditions.append(
                SchemaInputValue(
                    Precondition.required, .string,
                    description:
                        "An entity tag of the row, or several tags separated by commas. If the row has none of them, nothing is changed. `*` permits any state of an existing row."
                ))
        }
        if write.kind == .replace {
            preconditions.append(
                SchemaInputValue(
                    Precondition.excluded, .string,
                    description: "With `*`, the row is only created: if it exists, nothing is changed."))
        }
        let type = GraphQLType.nonNull(GraphQLType(named: write.inputType))
        guard write.isMany else {
            guard write.hasInput else { return keys + preconditions }
            return keys + [SchemaInputValue(write.valuesArgument, type, description: "The values.")] + preconditions
        }
        guard write.kind != .insert else {
            return [
                SchemaInputValue(
                    write.valuesArgument, .nonNull(.list(type)),
                    description: "The values of each row; at most \(Change.maximumRows) rows.")
            ]
        }
        let patch = SchemaInputValue(write.valuesArgument, type, description: "The values, for all rows.")
        return [
            SchemaInputValue(
                ListArgument.filter, .nonNull(GraphQLType(named: "\(bound.resource.type)Filter")),
                description: "The condition on the rows. It must not be empty.")
        ] + (write.hasInput ? [patch] : []) + [
            SchemaInputValue(
                MutationArgument.max, .int, default: .int(Int64(ParameterNode.defaultMaximum)),
                description:
                    "The maximum number of rows, at most \(Change.maximumRows). If more rows match, nothing is changed."
            )
        ]
    }

    private mutating func addInput(of write: Write) {
        let keys =
            write.origin == .derived
            ? []
            : write.keyArguments.map { SchemaInputValue($0.name, .nonNull(.id), description: $0.description) }
        let shape = catalogue.inputShape(of: write)
        let members =
            write.input.map { input in
                let type = GraphQLType(named: input.field.type.graphQLName)
                let isRequired = input.isRequired && shape?.alternative(to: input.field) == nil
                return SchemaInputValue(
                    input.field.name, isRequired ? .nonNull(type) : type, description: input.description)
            } + (shape.map(nestedMembers) ?? [])
        types.append(
            .inputObject(
                InputObjectType(
                    write.inputType, fields: keys + members, description: "The values of `\(write.name)`.")))
    }

    private static func payloadType(of bound: BoundWrite) -> String {
        Catalogue.payloadType(of: bound.write, bound.resource)
    }

    private mutating func addPayload(of bound: BoundWrite) {
        let (write, resource) = (bound.write, bound.resource)
        let isDelete = write.kind == .delete && write.link == nil
        let type = GraphQLType(named: resource.type)
        let result =
            switch write.kind {
            case .insert where write.isMany:
                // The payload also has the field `errors`.
                SchemaField(
                    resource.name == "errors" ? "rows" : resource.name, .list(.nonNull(type)),
                    description: "The new \(resource.name), in the order of the inputs; null if there are errors.",
                    binding: PayloadField.rows)
            case _ where write.isMany:
                SchemaField(
                    "count", .int,
                    description: "The number of \(isDelete ? "removed" : "changed") rows; null if there are errors.",
                    binding: PayloadField.count)
            case .delete where write.link == nil:
                SchemaField(
                    "deletedId", .id,
                    description: "The key of the \(resource.singular) that was removed; null if there are errors.",
                    binding: PayloadField.deletedIdentifier)
            default:
                SchemaField(
                    write.origin == .derived && resource.singular == "errors" ? "row" : resource.singular, type,
                    description: "The \(resource.singular) after the change; null if there are errors.",
                    binding: PayloadField.row)
            }
        // Rows of a list have their own entity tags, and a removed row has none.
        let isRow = !write.isMany && !isDelete
        let tag = SchemaField(
            Resource.entityTagName, .string,
            description: "The entity tag of the \(resource.singular) after the change; null if there are errors.",
            binding: PayloadField.entityTag)
        types.append(
            .object(
                ObjectType(
                    Self.payloadType(of: bound),
                    fields: [result] + (isRow && resource.hasEntityTag ? [tag] : []) + [
                        SchemaField(
                            "errors", .nonNull(.list(.nonNull(GraphQLType(named: "UserError")))),
                            description: "The reasons why nothing was changed; empty after a change.",
                            binding: PayloadField.errors)
                    ], description: isDelete ? "The result of a removal." : "The result of a change.")))
    }

    private mutating func addErrors() {
        let argument = catalogue.hasDerivedWrites ? "the name of the argument" : "`input`"
        let common = [
            SchemaField(
                "message", .nonNull(.string), description: "A sentence for the user that says what to do.",
                binding: UserErrorField.message),
            SchemaField(
                "field", .list(.nonNull(.string)),
                description:
                    "The path of the invalid argument, beginning with \(argument); null if the error does not concern a single argument.",
                binding: UserErrorField.field),
        ]
        types.append(
            .interface(
                InterfaceType("UserError", fields: common, description: "The reason why a change was not made.")))
        for kind in UserError.Kind.allCases where !kind.isOfDerivedWrites || catalogue.hasDerivedWrites {
            let key = SchemaField(
                "key", .string, description: "The key that already exists, by its name in REST.",
                binding: UserErrorField.key)
            let fields = SchemaField(
                "fields", .list(.nonNull(.string)),
                description: "The fields with a value that another row already has; null if they are not known.",
                binding: UserErrorField.fields)
            let own = kind == .conflict ? [key] + (catalogue.hasDerivedWrites ? [fields] : []) : []
            types.append(
                .object(
                    ObjectType(
                        kind.rawValue, implements: ["UserError"], fields: common + own,
                        description: kind.description)))
        }
    }
}

extension Write {
    /// True if the mutation has an argument with an input object.
    var hasInput: Bool { origin == .declared || kind != .delete && link == nil }

    /// The name of the input's type: `CreateEmployeeInput`. A write of several rows has the input type of the write of
    /// one row.
    var inputType: String { (singleName ?? name).capitalizedFirst + "Input" }
}
