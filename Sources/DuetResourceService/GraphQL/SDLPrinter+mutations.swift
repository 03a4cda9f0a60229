/// The type `Mutation`, the input types and the payload types.
extension SDLPrinter {
    mutating func printMutations() {
        guard !catalogue.writes.isEmpty else { return }
        define(
            "The available changes. Each field is one transaction. A payload contains either the row or errors. If the payload is null, `errors` of the response contains the reason. The changes of the other fields remain in effect.",
            "type Mutation",
            catalogue.writes.map { write in
                Self.described(
                    write.description,
                    "\(write.name)(\n    \"The values.\"\n    input: \(write.inputType)!\n  ): \(payloadType(of: write))"
                )
            })
        for write in catalogue.writes { printInput(of: write) }
        var seen: Set<String> = []
        for write in catalogue.writes where seen.insert(payloadType(of: write)).inserted { printPayload(of: write) }
        printErrors()
    }

    private mutating func printInput(of write: Write) {
        let keys = write.keyArguments.map { Self.described($0.description, "\($0.name): ID!") }
        let members = write.input.map { input in
            Self.described(
                input.description,
                "\(input.field.name): \(input.field.type.graphQLName)\(input.isRequired ? "!" : "")")
        }
        define("The values of `\(write.name)`.", "input \(write.inputType)", keys + members)
    }

    private func payloadType(of write: Write) -> String {
        let type = catalogue[write.resource]?.type ?? write.resource
        return write.kind == .delete ? "Delete\(type)Payload" : "\(type)Payload"
    }

    private mutating func printPayload(of write: Write) {
        guard let resource = catalogue[write.resource] else { return }
        let errors = Self.described(
            "The reasons why nothing was changed; empty after a change.", "errors: [UserError!]!")
        if write.kind == .delete {
            define(
                "The result of a removal.", "type \(payloadType(of: write))",
                [
                    Self.described(
                        "The key of the \(resource.singular) that was removed; null if there are errors.",
                        "deletedId: ID"),
                    errors,
                ])
        } else {
            define(
                "The result of a change.", "type \(payloadType(of: write))",
                [
                    Self.described(
                        "The \(resource.singular) after the change; null if there are errors.",
                        "\(resource.singular): \(resource.type)"), errors,
                ])
        }
    }

    private mutating func printErrors() {
        let message = Self.described("A sentence for the user that says what to do.", "message: String!")
        let field = Self.described(
            "The path of the invalid argument, beginning with `input`; null if the error does not concern a single argument.",
            "field: [String!]")
        define("The reason why a change was not made.", "interface UserError", [message, field])
        define("An invalid value.", "type InvalidInputError implements UserError", [message, field])
        define("A row that does not exist.", "type NotFoundError implements UserError", [message, field])
        define(
            "Existing data that conflicts with the change.",
            "type ConflictError implements UserError",
            [message, field, Self.described("The key that already exists, by its name in REST.", "key: String")])
    }
}

extension Write {
    /// The name of the input's type: `CreateEmployeeInput`.
    var inputType: String { name.prefix(1).uppercased() + name.dropFirst() + "Input" }
}
