/// The reason why a mutation changed nothing. It is an object in the payload, and its type implements the interface
/// `UserError`.
struct UserError {
    /// The kinds of errors. The raw values are the names of the types.
    enum Kind: String, CaseIterable {
        case invalidInput = "InvalidInputError"
        case notFound = "NotFoundError"
        case conflict = "ConflictError"

        /// A sentence for the documentation.
        var description: String {
            switch self {
            case .invalidInput: "An invalid value."
            case .notFound: "A row that does not exist."
            case .conflict: "Existing data that conflicts with the change."
            }
        }
    }

    let kind: Kind
    let message: String
    /// The path of the invalid argument, beginning with `input`.
    var field: [String]?
    /// The key that already exists.
    var key: String?

    /// Returns the user errors for an error that the client can correct. The result is empty for any other error.
    static func errors(_ error: ServiceError, of bound: BoundWrite) -> [UserError] {
        switch error.code {
        case .validationFailed:
            return error.fields.map {
                UserError(kind: .invalidInput, message: "\($0.field) \($0.message)", field: ["input", $0.field])
            }
        case .invalidParameter:
            // The parameter is the name of the field of a key argument.
            guard let (argument, _) = bound.keyArguments.first(where: { $1.name == error.parameter }) else { return [] }
            return [UserError(kind: .invalidInput, message: error.detail, field: ["input", argument.name])]
        case .conflict: return [UserError(kind: .conflict, message: error.detail, key: error.key)]
        default:
            guard error.isMissingSubject else { return [] }
            let isOwn = error.code == .unknown(bound.resource.singular)
            let argument = isOwn ? bound.write.keyArguments.first : bound.write.keyArguments.last
            return [UserError(kind: .notFound, message: error.detail, field: argument.map { ["input", $0.name] })]
        }
    }
}
