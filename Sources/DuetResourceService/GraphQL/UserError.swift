/// The reason why a mutation changed nothing. It is an object in the payload, and its type implements the interface
/// `UserError`.
struct UserError {
    let typeName: String
    let message: String
    /// The path of the invalid argument, beginning with `input`.
    var field: [String]?
    /// The key that already exists.
    var key: String?

    /// Returns the user errors for an error that the client can correct. The result is empty for any other error.
    static func errors(
        _ error: ServiceError, of write: Write, _ resource: Resource, _ catalogue: Catalogue
    ) -> [UserError] {
        switch error.code {
        case .validationFailed:
            return error.fields.map {
                UserError(
                    typeName: "InvalidInputError", message: "\($0.field) \($0.message)", field: ["input", $0.field])
            }
        case .invalidParameter:
            guard let argument = argument(named: error.parameter, of: write, catalogue) else { return [] }
            return [UserError(typeName: "InvalidInputError", message: error.detail, field: ["input", argument])]
        case .conflict: return [UserError(typeName: "ConflictError", message: error.detail, key: error.key)]
        default:
            guard error.isMissingSubject else { return [] }
            let isOwn = error.code == .unknown(resource.singular)
            let argument = isOwn ? write.keyArguments.first : write.keyArguments.last
            return [
                UserError(
                    typeName: "NotFoundError", message: error.detail, field: argument.map { ["input", $0.name] })
            ]
        }
    }

    /// Returns the name of the key argument for a field.
    private static func argument(named field: String?, of write: Write, _ catalogue: Catalogue) -> String? {
        guard let fields = try? catalogue.keyFields(of: write) else { return nil }
        return zip(write.keyArguments, fields).first { $1.name == field }?.0.name
    }
}
