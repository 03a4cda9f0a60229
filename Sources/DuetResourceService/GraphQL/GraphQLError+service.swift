import DuetGraphQL

extension GraphQLError {
    /// Creates the error that the response contains for an error of a resolver. The response contains no internal
    /// details.
    init(_ error: any Error) {
        if let error = error as? GraphQLError {
            self = error
            return
        }
        let service = ServiceError(describing: error)
        self.init(service.detail, underlyingError: error)
        code = service.code.rawValue.uppercased().replacing("-", with: "_")
        if let parameter = service.parameter { extensions["parameter"] = .string(parameter) }
    }
}
