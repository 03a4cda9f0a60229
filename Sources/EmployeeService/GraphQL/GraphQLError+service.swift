import GraphQL
import SQLDatabase

extension GraphQLError {
    /// What a client is told of something that a resolver threw: never what only the log should say.
    init(_ error: any Error) {
        switch error {
        case let error as GraphQLError: self = error
        case let error as ServiceError:
            self.init(error.detail, underlyingError: error)
            code = error.code.rawValue.uppercased().replacing("-", with: "_")
            if let parameter = error.parameter { extensions["parameter"] = .string(parameter) }
        case let error as DatabaseError:
            let (code, message) = Self.told(error.code)
            self.init(message, underlyingError: error)
            self.code = code
        default:
            self.init("something went wrong; the server's log says more", underlyingError: error)
            code = "INTERNAL_ERROR"
        }
    }

    private static func told(_ code: DatabaseError.Code) -> (code: String, message: String) {
        switch code {
        case .unavailable, .connectionLost, .closed, .corrupt, .missingTable, .cancelled:
            ("DATABASE_UNAVAILABLE", "the database cannot be reached at the moment; try again later")
        case .poolExhausted, .busy:
            ("OVERLOADED", "too many requests wait for the database; try again later")
        case .timeout:
            ("QUERY_TIMEOUT", "the database did not answer within the time limit; ask for less")
        default:
            ("INTERNAL_ERROR", "something went wrong; the server's log says more")
        }
    }
}
