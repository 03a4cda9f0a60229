import DuetJSON

/// The errors of requests with several rows.
extension ServiceError {
    /// The maximum number of invalid members that an error lists.
    static let maximumFields = 100

    /// Creates the error for invalid rows of a list. The pointers of the members begin with the position of the row.
    init(invalidRows fields: [FieldError]) {
        let names = fields.prefix(10).map(\.location.description).joined(separator: ", ")
        let rest = fields.count > 10 ? " and others" : ""
        self.init(.validationFailed, "the body has invalid members: \(names)\(rest)", fields: fields)
    }

    /// Returns the error of a row in a list of rows. The pointers of the members begin with the position of the row.
    func located(at index: Int) -> ServiceError {
        var error = self
        error.detail = "the row at /\(index): \(detail)"
        let position = String(index)
        error.fields = fields.map {
            FieldError(
                field: $0.field, message: $0.message, pointer: JSONPointer([position] + $0.location.elements))
        }
        if error.fields.isEmpty {
            error.fields = [FieldError(field: position, message: detail, pointer: JSONPointer([position]))]
        }
        return error
    }

    /// Returns the error with the pointer of each invalid member.
    package func withPointers() -> ServiceError {
        var error = self
        error.fields = fields.map { FieldError(field: $0.field, message: $0.message, pointer: $0.location) }
        return error
    }
}
