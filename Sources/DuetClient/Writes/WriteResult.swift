/// The result of a mutation that the client has created from a model.
public struct WriteResult<Row: Sendable>: Sendable {
    /// The row after the change, or the key of a removed row; `nil` if nothing was changed.
    public var row: Row?
    /// The reasons why nothing was changed, which a user can correct.
    public var errors: [UserError]
    /// The errors of the response, such as a missing right. With such an error, there is neither a row nor ``errors``.
    public var responseErrors: [GraphQLResponseError]

    /// Creates a result, for example in a test double.
    public init(row: Row?, errors: [UserError] = [], responseErrors: [GraphQLResponseError] = []) {
        self.row = row
        self.errors = errors
        self.responseErrors = responseErrors
    }

    /// Returns the row.
    /// - Throws: A ``WriteRefusal`` with ``errors``, or the first of ``responseErrors``.
    public func get() throws -> Row {
        if let row { return row }
        guard errors.isEmpty else { throw WriteRefusal(errors: errors) }
        throw responseErrors.first
            ?? GraphQLResponseError(
                "The response has neither a row nor errors. Read the data to find out what happened.")
    }

    init<Data: RowMutationData>(_ result: GraphQLResult<Data>) where Data.Row == Row {
        self.init(
            row: result.data?.payload?.row, errors: result.data?.payload?.errors ?? [], responseErrors: result.errors)
    }
}
