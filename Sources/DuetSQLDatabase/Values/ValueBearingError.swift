/// An error whose description can contain values of rows or of requests.
package protocol ValueBearingError: Error {
    /// The description without these values, for logs.
    var descriptionWithoutValues: String { get }
}

extension DatabaseError: ValueBearingError {
    /// The codes of failures that do not depend on values. The database does not quote values in their messages.
    private static let codesWithoutValues: Set<Code> = [
        .unavailable, .connectionLost, .poolExhausted, .closed, .timeout, .cancelled, .busy, .readOnly, .full, .ioError,
        .missingTable, .missingColumn, .corrupt,
    ]

    /// The description. If the message of the database can quote values, as in `Duplicate entry 'x' for key`, the name
    /// of the code replaces the message.
    package var descriptionWithoutValues: String {
        guard !Self.codesWithoutValues.contains(code) else { return description }
        var error = self
        error.message = "the database reports \(code)"
        return error.description
    }
}
