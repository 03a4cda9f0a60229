import DuetGraphQL

extension GraphQLError {
    /// What a client is told of something that a resolver threw: never what only the log should say.
    init(_ error: any Error) {
        if let error = error as? GraphQLError {
            self = error
            return
        }
        let told = ServiceError(telling: error)
        self.init(told.detail, underlyingError: error)
        code = told.code.rawValue.uppercased().replacing("-", with: "_")
        if let parameter = told.parameter { extensions["parameter"] = .string(parameter) }
    }
}
