/// The reason why a mutation changed nothing. It is an object in the payload, and its type implements the interface
/// `UserError`.
struct UserError {
    /// The kinds of errors. The raw values are the names of the types.
    enum Kind: String, CaseIterable {
        case invalidInput = "InvalidInputError"
        case notFound = "NotFoundError"
        case conflict = "ConflictError"
        /// Exists only if writes follow from the rules of resources.
        case notPermitted = "NotPermittedError"
        /// Exists only if writes follow from the rules of resources.
        case preconditionFailed = "PreconditionFailedError"

        /// True for the kinds that exist only if writes follow from the rules of resources.
        var isOfDerivedWrites: Bool { self == .notPermitted || self == .preconditionFailed }

        /// A sentence for the documentation.
        var description: String {
            switch self {
            case .invalidInput: "An invalid value."
            case .notFound: "A row that does not exist."
            case .conflict: "Existing data that conflicts with the change."
            case .preconditionFailed: "A row whose state does not satisfy `ifMatch` or `ifNoneMatch`."
            case .notPermitted: "A change that the rules of the resource do not permit."
            }
        }
    }

    let kind: Kind
    let message: String
    /// The path of the invalid argument, beginning with `input`.
    var field: [String]?
    /// The key that already exists.
    var key: String?
    /// The names of the fields with a value that another row already has.
    var fields: [String]?

    /// Returns the names of the fields with a value that another row already has; nil if they are not known.
    static func conflictingFields(_ error: ServiceError) -> [String]? {
        // The error of a row without a known field has the position of the row.
        let names = error.fields.filter { $0.location.elements.last == $0.field }.map(\.field)
            .filter { Int($0) == nil }
        return error.code == .conflict && !names.isEmpty ? names : nil
    }

    /// Returns the user errors for an error that the client can correct. The result is empty for any other error.
    static func errors(_ error: ServiceError, of bound: BoundWrite) -> [UserError] {
        if bound.write.isMany, let errors = errorsOfMany(error, of: bound) { return errors }
        // The place of a related row in the input.
        let nested = error.pointer.map { [bound.write.valuesArgument] + $0.elements }
        switch error.code {
        case .validationFailed, .keyDiffers:
            return error.fields.map {
                UserError(
                    kind: .invalidInput, message: "\($0.field) \($0.message)",
                    field: [bound.write.valuesArgument] + $0.location.elements)
            }
        case .invalidParameter:
            // The parameter is the name of the field of a key argument.
            guard let (argument, _) = bound.keyArguments.first(where: { $1.name == error.parameter }) else { return [] }
            return [UserError(kind: .invalidInput, message: error.detail, field: bound.path(of: argument))]
        case .referenceMissing, .constraintViolated:
            let fields = error.fields.map {
                UserError(
                    kind: .invalidInput, message: "\($0.field) \($0.message)",
                    field: [bound.write.valuesArgument] + $0.location.elements)
            }
            return fields.isEmpty ? [UserError(kind: .invalidInput, message: error.detail, field: nested)] : fields
        case .rowInUse: return [UserError(kind: .conflict, message: error.detail, field: nested)]
        case .writeNotPermitted: return [UserError(kind: .notPermitted, message: error.detail, field: nested)]
        case .preconditionFailed:
            let isReplacement = bound.write.kind == .replace
            let arguments = isReplacement ? "ifMatch or ifNoneMatch" : "ifMatch"
            return [
                UserError(
                    kind: .preconditionFailed,
                    message: "the state of the \(bound.resource.singular) does not satisfy \(arguments); read it again",
                    field: isReplacement ? nil : [Precondition.required])
            ]
        case .conflict:
            return [
                UserError(
                    kind: .conflict, message: error.detail, field: nested, key: error.key,
                    fields: conflictingFields(error))
            ]
        default:
            guard error.isMissingSubject else { return [] }
            if let nested { return [UserError(kind: .notFound, message: error.detail, field: nested)] }
            let isOwn = error.code == .unknown(bound.resource.singular)
            let argument = isOwn ? bound.write.keyArguments.first : bound.write.keyArguments.last
            return [UserError(kind: .notFound, message: error.detail, field: argument.map(bound.path))]
        }
    }
}
