import DuetGraphQL
import DuetJSON

/// Mutations of several rows.
extension MutationResolver {
    /// Returns the change of a mutation with a list of inputs or with a filter.
    /// - Parameters:
    ///   - shown: The selections of the new rows in the payload.
    ///   - earlier: The earlier changes of the same transaction, to whose rows the inputs can refer.
    func change(
        ofMany bound: BoundWrite, _ arguments: ObjectValue, showing shown: [Selection], after earlier: EarlierSteps
    ) throws -> Change {
        let write = bound.write
        var change = try changes.change(write, key: [], relatedKey: [])
        let input = arguments[write.valuesArgument] ?? .null
        if write.kind == .insert {
            change.representations = shown.map { .row($0) }
            guard case .list(let inputs) = input else { return change }
            try changes.readList(inputs, for: write, into: &change, earlier: earlier)
            return change
        }
        if write.kind == .update { try changes.read(input, for: write, into: &change) }
        guard case .object(let object)? = arguments[ListArgument.filter],
            case .object(let filter) = JSONValue(.object(object))
        else { throw CatalogueError("\(write.name) has no filter") }
        change.condition = try Filter.requiringMembers {
            try filters.filter(filter, of: bound.resource, ListArgument.filter)
        }.requiringCondition()
        var maximum: Int64?
        if case .int(let number)? = arguments[MutationArgument.max] { maximum = number }
        change.maximum = try Change.maximum(maximum, MutationArgument.max)
        return change
    }
}

/// The names of arguments of mutations.
enum MutationArgument {
    static let max = "max"
}

extension UserError {
    /// Returns the user errors for an error of a mutation of several rows; nil for an error that can also occur in a
    /// mutation of one row.
    static func errorsOfMany(_ error: ServiceError, of bound: BoundWrite) -> [UserError]? {
        switch error.code {
        case .tooManyRows: return [UserError(kind: .conflict, message: error.detail, field: [MutationArgument.max])]
        case .filterRequired, .invalidParameter, .unknownParameter:
            // The parameter is `max`, or a member of the filter.
            let argument = error.parameter?.prefix { $0 != "." }
            let isOwn = argument == ListArgument.filter[...] || argument == MutationArgument.max[...]
            guard let argument, isOwn else { return nil }
            return [UserError(kind: .invalidInput, message: error.detail, field: [String(argument)])]
        case .validationFailed where error.fields.isEmpty:
            return [
                UserError(kind: .invalidInput, message: error.detail, field: [bound.write.valuesArgument])
            ]
        case .conflict, .rowInUse, .writeNotPermitted, .constraintViolated:
            // An error of a row in a list has the position of the row.
            guard let field = error.fields.first else { return nil }
            let kind: Kind =
                switch error.code {
                case .writeNotPermitted: .notPermitted
                case .constraintViolated: .invalidInput
                default: .conflict
                }
            return [
                UserError(
                    kind: kind, message: error.detail,
                    field: [bound.write.valuesArgument] + field.location.elements, key: error.key,
                    fields: conflictingFields(error))
            ]
        default: return nil
        }
    }
}
