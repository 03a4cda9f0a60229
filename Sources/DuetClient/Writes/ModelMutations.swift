public import DuetJSON

/// The mutation that creates a row of a model.
public struct CreateMutation<Row: WritableModel>: GraphQLMutation {
    /// The data of the response.
    public struct Data: DataDecodable, RowMutationData {
        /// The row and the errors; `nil` if the response has errors.
        public let payload: RowPayload<Row>?

        /// Reads the field of the mutation.
        public init(from decoder: DynamicDecoder) throws(ModelError) {
            let names = Row.mutations
            payload = try decoder.value(
                names.create, arguments: ["input": .variable("input", type: names.createInput + "!")])
        }
    }

    /// The values of the variables.
    public let variables: JSONObject

    /// Creates a mutation.
    /// - Parameter input: The values of the new row.
    public init(input: some InputValue) { variables = ["input": input.inputValue] }
}

/// The mutation that changes a row of a model.
public struct UpdateMutation<Row: WritableModel>: GraphQLMutation {
    /// The data of the response.
    public struct Data: DataDecodable, RowMutationData {
        /// The row and the errors; `nil` if the response has errors.
        public let payload: RowPayload<Row>?

        /// Reads the field of the mutation.
        public init(from decoder: DynamicDecoder) throws(ModelError) {
            let names = Row.mutations
            payload = try decoder.value(
                names.update,
                arguments: Arguments(
                    names.keyArguments + [
                        .init("patch", .variable("patch", type: names.updateInput + "!")),
                        .init("ifMatch", .variable("ifMatch", type: "String")),
                    ]))
        }
    }

    /// The values of the variables.
    public let variables: JSONObject

    /// Creates a mutation.
    /// - Parameters:
    ///   - key: The key of the row.
    ///   - patch: The new values of the fields to change.
    ///   - entityTag: The entity tag of the row. If the row has another one, nothing is changed.
    public init(key: RowKey, patch: some InputValue, ifMatch entityTag: String? = nil) {
        var variables = key.variables(Row.mutations)
        variables["patch"] = patch.inputValue
        variables.add("ifMatch", entityTag)
        self.variables = variables
    }
}

/// The mutation that creates or replaces a row of a model.
public struct UpsertMutation<Row: WritableModel>: GraphQLMutation {
    /// The data of the response.
    public struct Data: DataDecodable, RowMutationData {
        /// The row and the errors; `nil` if the response has errors.
        public let payload: RowPayload<Row>?

        /// Reads the field of the mutation.
        public init(from decoder: DynamicDecoder) throws(ModelError) {
            let names = Row.mutations
            payload = try decoder.value(
                names.upsert,
                arguments: [
                    "input": .variable("input", type: names.upsertInput + "!"),
                    "ifMatch": .variable("ifMatch", type: "String"),
                    "ifNoneMatch": .variable("ifNoneMatch", type: "String"),
                ])
        }
    }

    /// The values of the variables.
    public let variables: JSONObject

    /// Creates a mutation.
    /// - Parameters:
    ///   - input: The values of the row, with its key.
    ///   - entityTag: The entity tag of the row, or `*`. If the row has another one, or does not exist, nothing is
    ///     changed.
    ///   - ifNoneMatch: With `*`, the row is only created.
    public init(input: some InputValue, ifMatch entityTag: String? = nil, ifNoneMatch: String? = nil) {
        var variables: JSONObject = ["input": input.inputValue]
        variables.add("ifMatch", entityTag)
        variables.add("ifNoneMatch", ifNoneMatch)
        self.variables = variables
    }
}

/// The mutation that removes a row of a model.
public struct DeleteMutation<Row: WritableModel>: GraphQLMutation {
    /// The data of the response.
    public struct Data: DataDecodable {
        /// The key and the errors; `nil` if the response has errors.
        public let payload: DeletePayload<Row>?

        /// Reads the field of the mutation.
        public init(from decoder: DynamicDecoder) throws(ModelError) {
            let names = Row.mutations
            payload = try decoder.value(
                names.delete,
                arguments: Arguments(
                    names.keyArguments + [.init("ifMatch", .variable("ifMatch", type: "String"))]))
        }
    }

    /// The values of the variables.
    public let variables: JSONObject

    /// Creates a mutation.
    /// - Parameters:
    ///   - key: The key of the row.
    ///   - entityTag: The entity tag of the row. If the row has another one, nothing is removed.
    public init(key: RowKey, ifMatch entityTag: String? = nil) {
        var variables = key.variables(Row.mutations)
        variables.add("ifMatch", entityTag)
        self.variables = variables
    }
}

/// The data of a mutation whose payload contains a row.
protocol RowMutationData {
    associatedtype Row: WritableModel
    var payload: RowPayload<Row>? { get }
}

/// The payload of a mutation: the row after the change, or the reasons why nothing was changed.
public struct RowPayload<Row: WritableModel>: DataDecodable {
    /// The row; `nil` if there are errors.
    public let row: Row?
    /// The reasons why nothing was changed; empty after a change.
    public let errors: [UserError]

    /// Reads the fields of the payload.
    public init(from decoder: DynamicDecoder) throws(ModelError) {
        row = try decoder.value(Row.mutations.row)
        errors = try decoder.value("errors")
    }
}

/// The payload of a mutation that removes a row.
public struct DeletePayload<Row: WritableModel>: DataDecodable {
    /// The key of the removed row; `nil` if there are errors.
    public let deletedKey: String?
    /// The reasons why nothing was removed; empty after a removal.
    public let errors: [UserError]

    /// Reads the fields of the payload.
    public init(from decoder: DynamicDecoder) throws(ModelError) {
        deletedKey = try decoder.value(Row.mutations.deletedKey)
        errors = try decoder.value("errors")
    }
}

extension MutationNames {
    /// The arguments of the key, as variables.
    fileprivate var keyArguments: [Arguments.Element] {
        key.map { Arguments.Element($0.name, .variable($0.name, type: $0.type)) }
    }
}
