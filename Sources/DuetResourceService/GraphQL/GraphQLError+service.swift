import DuetGraphQL

extension GraphQLError {
    /// Creates the error in the response from an error that a resolver throws. The response contains no internal
    /// details.
    init(_ error: any Error) {
        if let error = error as? GraphQLError {
            self = error
            return
        }
        let service = ServiceError(describing: error)
        self.init(service.detail, underlyingError: error)
        code = service.code.graphQLCode
        if let parameter = service.parameter { extensions["parameter"] = .string(parameter) }
    }

    /// Returns the error for values that are null because they do not have the type of their field.
    static func mismatches(_ count: Int) -> GraphQLError {
        var error = GraphQLError(
            "\(count == 1 ? "1 value is" : "\(count) values are") null, because the stored values do not have the type of the field"
        )
        error.code = ServiceError.Code.valueMismatch.graphQLCode
        error.extensions["mismatches"] = .int(Int64(count))
        return error
    }
}
