import DuetGraphQL
import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// A value in the input of a write: JSON in the body of a REST request, or a coerced argument in GraphQL.
protocol WriteInput {
    /// The members of an object in their order; nil for any other value.
    var inputMembers: [(name: String, value: Self)]? { get }
    /// The elements of a list; nil for any other value.
    var inputElements: [Self]? { get }
    /// The value as JSON.
    var json: JSONValue { get }
}

extension JSONValue: WriteInput {
    var inputMembers: [(name: String, value: JSONValue)]? {
        if case .object(let object) = self { object.members.map { ($0.key, $0.value) } } else { nil }
    }

    var inputElements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    var json: JSONValue { self }
}

extension Value: WriteInput {
    var inputMembers: [(name: String, value: Value)]? {
        if case .object(let object) = self { Array(object) } else { nil }
    }

    var inputElements: [Value]? { if case .list(let elements) = self { elements } else { nil } }

    var json: JSONValue { JSONValue(self) }
}

/// The values of a row in the input of a write, and the changes of related rows.
struct InputRow {
    var values = RowValues()
    var related: [RelatedChange] = []
}

/// The catalogue and the rules with which inputs are read.
struct InputContext {
    let catalogue: Catalogue
    let hooks: ChangeHooks
    let dates: DateEncoding
    /// The earlier changes of the same transaction, to whose rows the input can refer.
    var earlier = EarlierSteps()
}

/// Reads the values of a row from the input of a write: the body in REST, or an argument in GraphQL. The reader
/// collects the errors of all invalid members, so that one response reports all of them.
struct InputReader {
    /// The maximum depth of related rows.
    private static let maximumDepth = 8

    private let context: InputContext
    /// Reads the values. Bodies have the restriction of MariaDB on every database: a time has at most six fraction
    /// digits.
    private let values: ValueReader
    /// The errors of all members so far.
    private(set) var errors: [ServiceError.FieldError] = []
    /// The path of the object that is read, in the input of a derived write.
    private var path: [String]?
    private var rowCount = 0
    /// The number of relations that lead to the object that is read.
    private var depth = 1

    private var dates: DateEncoding { context.dates }

    /// Returns the values of an input without related rows.
    /// - Parameters:
    ///   - ignored: The names of the members that are not values of the row.
    ///   - omitsNull: True if a member that is null has the meaning of a missing member.
    /// - Throws: ``ServiceError`` with the code `malformed-body` if the input is not an object, or `validation-failed`
    ///   with all invalid, unknown and missing members.
    static func values(
        of input: some WriteInput, for write: Write, in context: InputContext, ignoring ignored: [String] = [],
        omitsNull: Bool = false
    ) throws -> RowValues {
        try row(of: input, for: write, in: context, ignoring: ignored, omitsNull: omitsNull, nests: false).values
    }

    /// Returns the row of an input.
    /// - Parameters:
    ///   - ignored: The names of the members that are not values of the row.
    ///   - omitsNull: True if a member that is null has the meaning of a missing member.
    ///   - nests: True if the input of a derived write can contain related rows.
    ///   - place: The path of the row in the body of a derived write.
    /// - Throws: ``ServiceError`` with the code `malformed-body` if the input is not an object, or `validation-failed`
    ///   with all invalid, unknown and missing members.
    static func row(
        of input: some WriteInput, for write: Write, in context: InputContext, ignoring ignored: [String] = [],
        omitsNull: Bool = false, nests: Bool = true, at place: [String] = []
    ) throws -> InputRow {
        guard let members = input.inputMembers else {
            throw ServiceError(.malformedBody, "the body must be a JSON object, not \(input.json.typeName)")
        }
        var reader = InputReader(context: context)
        if write.origin == .derived { reader.path = place }
        let given = members.filter { member in !ignored.contains { $0.hasSameUTF8(as: member.name) } }
        let row = try reader.read(write, given, omitsNull: omitsNull, nests: nests)
        guard reader.errors.isEmpty else { throw ServiceError(invalid: reader.errors) }
        return row
    }

    init(context: InputContext) {
        self.context = context
        values = ValueReader(dates: context.dates, dialect: .mariaDB)
    }

    // MARK: Rows

    /// Reads the members of the input itself.
    private mutating func read<Given: WriteInput>(
        _ write: Write, _ members: [(name: String, value: Given)], omitsNull: Bool, nests: Bool
    ) throws -> InputRow {
        let changed = try context.catalogue.changedResource(of: write)
        let names = write.input.map(\.field.name)
        func isField(_ name: String) -> Bool { names.contains { $0.hasSameUTF8(as: name) } }
        // Most inputs have no related rows, so the possible ones are looked up only for other members.
        var shape: InputShape?
        if nests, members.contains(where: { !isField($0.name) }) { shape = context.catalogue.inputShape(of: write) }
        let required = Set(write.input.filter(\.isRequired).map(\.field.name))
        return read(
            members, fields: write.input.map(\.field), required, nested: shape?.nested ?? [], of: changed, write.kind,
            omitsNull: omitsNull, isStored: write.origin == .derived)
    }

    /// Reads the members of a related row.
    /// - Parameter keys: The fields that identify the row.
    private mutating func read<Given: WriteInput>(
        _ value: Given, _ shape: InputShape, keys: [Field] = []
    ) -> (row: InputRow, key: RowValues)? {
        guard let members = value.inputMembers else {
            failHere("must be an object, not \(value.json.typeName)")
            return nil
        }
        var row = read(
            members, fields: keys + shape.fields, shape.required.union(keys.map(\.name)), nested: shape.nested,
            of: shape.resource, shape.kind, isStored: true)
        var key = RowValues()
        for field in keys {
            key[field.name] = row.values[field.name]
            row.values[field.name] = nil
        }
        return (row, key)
    }

    private mutating func read<Given: WriteInput>(
        _ members: [(name: String, value: Given)], fields: [Field], _ required: Set<String>, nested: [NestedMember],
        of resource: Resource, _ kind: Change.Kind, omitsNull: Bool = false, isStored: Bool
    ) -> InputRow {
        func member(_ name: String) -> Given? { members.first { $0.name.hasSameUTF8(as: name) }?.value }
        var row = InputRow()
        let related = nested.filter { member($0.name) != nil }
        for field in fields {
            let name = field.name
            let given = member(name)?.json
            guard let given, !(omitsNull && given == .null) else {
                // A related row sets the fields that refer to it.
                let isSet = related.contains { !$0.relation.isToMany && $0.referenceNames.contains(name) }
                if required.contains(name), !isSet { fail(name, "is missing") }
                continue
            }
            row.values[name] = isStored ? storedValue(given, of: field) : value(given, of: field)
        }
        let count = errors.count
        context.hooks[resource.name]?.validate(row.values, &errors)
        if let path {
            for index in errors.indices.dropFirst(count) {
                errors[index] = errors[index].with(path: path + [errors[index].field])
            }
        }
        let known = (fields.map(\.name) + nested.map(\.name)).sorted()
        let isUnknown =
            known.isEmpty
            ? "is unknown; the row has no members that can be written"
            : "is unknown; valid members are \(known.joined(separator: ", "))"
        for member in members where !known.contains(where: { $0.hasSameUTF8(as: member.name) }) {
            // The number of members of a body is limited only by its size.
            guard errors.count < ServiceError.maximumFields else { break }
            fail(member.name, isUnknown)
        }
        for nested in related {
            guard let value = member(nested.name) else { continue }
            inside(nested.name) { reader in
                guard reader.depth <= Self.maximumDepth else {
                    reader.failHere("is nested too deeply; related rows have at most \(Self.maximumDepth) levels")
                    return
                }
                if nested.relation.isToMany {
                    row.related += reader.toMany(value, nested, kind)
                } else if let reference = nested.referenceNames.first(where: { member($0) != nil }) {
                    reader.failHere("cannot be combined with \(reference), which sets the same reference")
                } else {
                    row.related += reader.toOne(value, nested, kind)
                }
            }
        }
        return row
    }

    // MARK: Related rows

    /// Reads the row to which a row refers.
    private mutating func toOne<Given: WriteInput>(
        _ value: Given, _ member: NestedMember, _ kind: Change.Kind
    ) -> [RelatedChange] {
        depth += 1
        defer { depth -= 1 }
        guard value.json != .null else {
            guard member.clears else {
                failHere("must not be null")
                return []
            }
            return [RelatedChange(member.name, .clear, path: place)]
        }
        if member.refers, let members = value.inputMembers,
            let reference = members.first(where: { $0.name.hasSameUTF8(as: NestedMember.reference) })?.value
        {
            guard members.count == 1, case .string(let step) = reference.json,
                context.earlier.resources[step] == member.target.name
            else {
                inside(NestedMember.reference) {
                    $0.failHere(
                        "must be the only member, and name an earlier change in the same transaction that creates or changes one row of \(member.target.name)"
                    )
                }
                return []
            }
            return [RelatedChange(member.name, .refer(step: step), path: place)]
        }
        guard kind == .insert ? member.creates : member.updates else {
            failHere("cannot contain values, because they cannot be written here")
            return []
        }
        guard countRow(), let found = read(value, context.catalogue.inputShape(member.target, kind)) else { return [] }
        return [RelatedChange(member.name, .perform(change(kind, member, found.row)), path: place)]
    }

    /// Reads the rows that refer to a row: the new rows of a new row, or the changes of an existing one.
    private mutating func toMany<Given: WriteInput>(
        _ value: Given, _ member: NestedMember, _ kind: Change.Kind
    ) -> [RelatedChange] {
        depth += 1
        defer { depth -= 1 }
        guard kind == .update else { return rows(in: value, member, .insert) }
        let kinds: [(name: String, kind: Change.Kind)] = [
            (NestedMember.create, .insert), (NestedMember.update, .update), (NestedMember.delete, .delete),
        ].filter { member.permits($0.1) }
        let names = kinds.map(\.name)
        guard let members = value.inputMembers else {
            failHere("must be an object with \(names.joined(separator: ", ")), not \(value.json.typeName)")
            return []
        }
        var changes: [RelatedChange] = []
        for (name, value) in members {
            guard let kind = kinds.first(where: { $0.name.hasSameUTF8(as: name) })?.kind else {
                fail(name, "is unknown; valid members are \(names.joined(separator: ", "))")
                continue
            }
            inside(name) { changes += $0.rows(in: value, member, kind) }
        }
        return changes
    }

    /// Reads a list of related rows.
    private mutating func rows<Given: WriteInput>(
        in value: Given, _ member: NestedMember, _ kind: Change.Kind
    ) -> [RelatedChange] {
        guard let elements = value.inputElements else {
            failHere("must be an array, not \(value.json.typeName)")
            return []
        }
        let excluded = member.referenceNames
        var shape = context.catalogue.inputShape(member.target, kind, except: excluded)
        if kind == .delete {
            shape = InputShape(resource: member.target, kind: kind, fields: [], required: [], nested: [])
        }
        let keys = kind == .insert ? [] : member.keyFields
        var changes: [RelatedChange] = []
        for (index, element) in elements.enumerated() {
            let isWithinLimits = inside(String(index)) { reader in
                guard reader.countRow() else { return false }
                if let found = reader.read(element, shape, keys: keys) {
                    changes.append(
                        RelatedChange(
                            member.name, .perform(reader.change(kind, member, found.row)), key: found.key,
                            path: reader.place))
                }
                return reader.errors.count < ServiceError.maximumFields
            }
            guard isWithinLimits else { break }
        }
        return changes
    }

    private func change(_ kind: Change.Kind, _ member: NestedMember, _ row: InputRow) -> Change {
        var change = Change(kind, of: member.target.name, rows: kind == .delete ? [] : [row.values])
        change.appliesRules = true
        if !row.related.isEmpty { change.related = [row.related] }
        return change
    }

    /// Counts a related row.
    /// - Returns: False if the input has too many rows.
    private mutating func countRow() -> Bool {
        rowCount += 1
        // The row of the input itself counts, too.
        guard rowCount >= Change.maximumRows else { return true }
        if rowCount == Change.maximumRows {
            failHere("is one row too many; a body can have \(Change.maximumRows) rows")
        }
        return false
    }

    // MARK: Errors

    /// The path of the object that is read.
    private var place: [String] { path ?? [] }

    /// Reads a member or an element of the current object.
    private mutating func inside<Result>(_ name: String, _ body: (inout InputReader) -> Result) -> Result {
        let outer = path
        path = place + [name]
        defer { path = outer }
        return body(&self)
    }

    mutating func fail(_ field: String, _ message: String) {
        errors.append(
            ServiceError.FieldError(field: field, message: message, pointer: path.map { JSONPointer($0 + [field]) }))
    }

    /// Reports an error of the current object.
    private mutating func failHere(_ message: String) {
        errors.append(
            ServiceError.FieldError(
                field: place.last ?? "", message: message, pointer: path.map { JSONPointer($0) }))
    }

    // MARK: Values

    private mutating func value(_ value: JSONValue, of field: Field) -> SQLValue? {
        switch field.type {
        case .text(let maximumLength): return text(value, field.name, maximumLength: maximumLength).map { .text($0) }
        case .identifier(let length):
            guard let text = text(value, field.name, maximumLength: length) else { return nil }
            guard ValueReader.isIdentifier(text, length) else {
                fail(field.name, "must be \(ValueReader.requirement(of: field.type))")
                return nil
            }
            return .text(text)
        case .choice(let choice):
            let names = choice.values.map(\.name)
            guard case .string(let text) = value, names.contains(text) else {
                fail(field.name, "must be one of \(names.joined(separator: ", "))")
                return nil
            }
            return .text(text)
        case .integer(let range):
            guard let integer = value.integerValue, range.contains(integer) else {
                fail(field.name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
                return nil
            }
            return .integer(integer)
        case .number:
            switch value {
            case .integer(let integer): return .double(Double(integer))
            case .double(let double): return .double(double)
            default:
                fail(field.name, "must be a number, not \(value.typeName)")
                return nil
            }
        case .date:
            guard let date = dates.date(value), date.year >= 1000 else {
                let numbers = dates.isText ? "" : ", or the number that represents it in responses"
                fail(field.name, "must be a date in the year 1000 or later, such as \"1995-12-01\"\(numbers)")
                return nil
            }
            return .date(date)
        default:
            guard let known = values.value(value, of: field) else {
                fail(field.name, "must be \(ValueReader.requirement(of: field.type))")
                return nil
            }
            return known
        }
    }

    /// Returns the value of a member of a derived write. All values are valid that responses can contain.
    mutating func storedValue(_ value: JSONValue, of field: Field) -> SQLValue? {
        if case .null = value {
            guard field.isNullable else {
                fail(field.name, "must not be null")
                return nil
            }
            return .null
        }
        switch field.type {
        case .text(let maximumLength?):
            // The number of bytes is known, and it is at least the number of characters.
            guard case .string(let text) = value, text.utf8.count > maximumLength else { break }
            let length = text.unicodeScalars.count
            guard length <= maximumLength else {
                fail(field.name, "must have at most \(maximumLength) characters, not \(length)")
                return nil
            }
        case .json: return .text(value.compactText)
        default: break
        }
        guard let known = values.value(value, of: field) else {
            fail(field.name, "must be \(ValueReader.requirement(of: field.type))")
            return nil
        }
        return known
    }

    private mutating func text(_ value: JSONValue, _ field: String, maximumLength: Int?) -> String? {
        guard case .string(let text) = value else {
            fail(field, "must be a string, not \(value.typeName)")
            return nil
        }
        let length = text.unicodeScalars.count
        if let maximumLength, !(1...maximumLength).contains(length) {
            fail(field, "must have 1 to \(maximumLength) characters, not \(length)")
            return nil
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            fail(field, "must not contain control characters")
            return nil
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            fail(field, "must not be blank")
            return nil
        }
        return text
    }
}

extension ServiceError {
    /// Creates the error for invalid members of an input.
    public init(invalid fields: [FieldError]) {
        let names = fields.map { $0.location.elements.joined(separator: ".") }.joined(separator: ", ")
        self.init(.validationFailed, "the body has invalid members: \(names)", fields: fields)
    }
}
