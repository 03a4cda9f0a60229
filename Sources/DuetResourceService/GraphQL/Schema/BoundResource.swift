import DuetGraphQL
import DuetJSON
import DuetSQLDatabase

/// A resource with the arguments of its GraphQL fields. The bindings of all fields that return rows of the resource
/// share one object.
final class BoundResource: Sendable {
    let resource: Resource
    /// The arguments of the root field that returns one row, with the fields of the key.
    let itemArguments: [(name: String, field: Field)]
    /// The named filters that are arguments of a relation's field.
    let flags: [NamedFilter]
    /// The names of the fields by which lists can be sorted, by the value of the enum.
    private let sortFields: [String: String]

    init(_ resource: Resource) {
        self.resource = resource
        itemArguments = resource.itemArguments
        flags = resource.filters.filter { if case .flag = $0.meaning { true } else { false } }
        sortFields = Dictionary(
            resource.sortFields.map { ($0.screamingSnakeCase, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the key of a row from the arguments of the root field that returns one row.
    /// - Throws: ``ServiceError`` for an argument with an invalid value.
    func key(_ arguments: ObjectValue, _ values: ValueReader) throws -> [SQLValue] {
        try itemArguments.map { name, field in
            guard case .string(let text)? = arguments[name] else {
                return try values.value(JSONValue(arguments[name] ?? .null), of: field, field.name)
            }
            return try values.value(text, of: field, field.name)
        }
    }

    /// Returns the filters for the values of ``flags`` in the arguments of a relation's field.
    func filters(_ arguments: ObjectValue) -> [Filter] {
        flags.compactMap { filter in
            guard case .flag(let whenTrue, let whenFalse) = filter.meaning,
                case .bool(let isTrue)? = arguments[filter.name]
            else { return nil }
            return isTrue ? whenTrue : whenFalse
        }
    }

    /// Returns an element of an order from an object of the argument ``ListArgument/orderBy``.
    func sortField(_ sort: ObjectValue) -> SortField? {
        guard case .enum(let name)? = sort["field"], let field = sortFields[name] else { return nil }
        return SortField(field, descending: sort["direction"] == .enum("DESCENDING"))
    }
}

/// A write with the parts of the catalogue to which it refers. It is the binding of a field of `Mutation`.
final class BoundWrite: Sendable {
    let write: Write
    /// The resource in the path of the write.
    let resource: Resource
    /// The field of each key argument.
    let keyFields: [Field]

    init(_ write: Write, _ catalogue: Catalogue) throws(CatalogueError) {
        self.write = write
        resource = try catalogue.required(write.resource)
        keyFields = try catalogue.keyFields(of: write)
    }

    /// The key arguments, with their fields.
    var keyArguments: Zip2Sequence<[Write.KeyArgument], [Field]> { zip(write.keyArguments, keyFields) }

    /// Returns the path of a key argument, for the error of its value.
    func path(of argument: Write.KeyArgument) -> [String] {
        write.origin == .derived && write.kind != .replace ? [argument.name] : ["input", argument.name]
    }
}
