import DuetGraphQL

extension GraphQLError {
    /// The error that a client sees for one that a resolver threw: never what only the log should say.
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
