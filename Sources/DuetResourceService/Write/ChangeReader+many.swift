import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// Replacements, lists of new rows, and changes with a filter.
extension ChangeReader {
    /// Reads the values of a replacement into its change, which has the key of the row. If the input contains the key,
    /// it must be equal.
    /// - Throws: ``ServiceError`` with the code `malformed-body` or `validation-failed`.
    func readReplacement(_ input: some WriteInput, for write: Write, into change: inout Change) throws {
        let resource = try catalogue.changedResource(of: write)
        var optional = write
        for index in optional.input.indices where resource.key.contains(optional.input[index].field.name) {
            optional.input[index].isRequired = false
        }
        var values = RowValues()
        var errors: [ServiceError.FieldError] = []
        var differences: [ServiceError.FieldError] = []
        do {
            values = try self.values(of: input, for: optional)
        } catch let error as ServiceError where error.code == .validationFailed {
            errors = error.fields
        }
        let reader = ValueReader(dates: dates, dialect: .mariaDB)
        for (field, value) in zip(resource.keyFields, change.key ?? []) {
            values[field.name] = value
            let given = input.inputMembers?.first { $0.name.hasSameUTF8(as: field.name) }?.value.json
            // An invalid value is an error of the input.
            guard let given, let other = try? reader.value(given, of: field, field.name), other != value else {
                continue
            }
            differences.append(.differing(field, from: value))
        }
        try ServiceError.require(noErrors: errors, differences)
        change.rows = [values]
    }

    /// Reads the rows of a list into its change. The errors contain the positions of the rows.
    /// - Throws: ``ServiceError`` with the code `validation-failed`.
    func readList<Input: WriteInput>(
        _ inputs: [Input], for write: Write, into change: inout Change, earlier: EarlierSteps = EarlierSteps()
    ) throws {
        var context = context
        context.earlier = earlier
        guard inputs.count <= Change.maximumRows else {
            throw ServiceError(
                .validationFailed,
                "the list has \(inputs.count) rows, but at most \(Change.maximumRows) are possible; send more rows as NDJSON (application/x-ndjson)"
            )
        }
        var errors: [ServiceError.FieldError] = []
        var differences: [ServiceError.FieldError] = []
        var related: [[RelatedChange]] = []
        // The values that the path determines.
        let fixed = change.rows.first ?? RowValues()
        change.isList = true
        change.rows = []
        for (index, input) in inputs.enumerated() where errors.count < ServiceError.maximumFields {
            do {
                let row = try InputReader.row(of: input, for: write, in: context, at: [String(index)])
                differences += try self.differences(row.values, of: write, fixed, at: [String(index)])
                change.rows.append(row.values.merging(fixed))
                related.append(row.related)
            } catch let error as ServiceError where error.code == .validationFailed {
                errors += error.fields
            } catch let error as ServiceError where error.code == .malformedBody {
                errors.append(
                    ServiceError.FieldError(
                        field: String(index), message: "must be an object, not \(input.json.typeName)",
                        pointer: JSONPointer([String(index)])))
            }
        }
        guard errors.isEmpty else {
            throw ServiceError(invalidRows: Array((errors + differences).prefix(ServiceError.maximumFields)))
        }
        try ServiceError.require(noErrors: [], Array(differences.prefix(ServiceError.maximumFields)))
        if related.contains(where: { !$0.isEmpty }) { change.related = related }
    }
}

extension Change {
    /// Returns the maximum number of rows that a change with a filter changes.
    /// - Parameter name: The name of the parameter or argument.
    /// - Throws: ``ServiceError`` for a number that is out of range, or nil.
    static func maximum(_ number: Int64?, _ name: String) throws -> Int {
        guard let number, (1...Int64(maximumRows)).contains(number) else {
            throw ServiceError(
                .invalidParameter, "\(name) must be a whole number from 1 to \(maximumRows)", parameter: name)
        }
        return Int(number)
    }
}

extension Filter {
    /// True if the filter compares at least one field or aggregate, or refers to related rows.
    private var hasCondition: Bool {
        switch self {
        case .compare, .isNull, .related, .aggregate: true
        case .all(let filters), .any(let filters): filters.contains(where: \.hasCondition)
        case .not(let filter): filter.hasCondition
        }
    }

    /// Returns the filter of a change.
    /// - Throws: ``ServiceError`` with the code `filter-required` if it has no condition.
    func requiringCondition() throws -> Filter {
        guard hasCondition else {
            throw ServiceError(
                .filterRequired,
                "a change of all rows that match a filter needs a condition; set filter, or compare a field",
                parameter: ListArgument.filter)
        }
        return self
    }

    /// Reads the filter of a change.
    /// - Throws: ``ServiceError`` with the code `filter-required` if a condition of the filter is empty.
    static func requiringMembers<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as ServiceError where error.code == .emptyFilter {
            throw ServiceError(.filterRequired, error.detail, parameter: error.parameter)
        }
    }
}
