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
        code = service.code.rawValue.uppercased().replacing("-", with: "_")
        if let parameter = service.parameter { extensions["parameter"] = .string(parameter) }
    }
}
