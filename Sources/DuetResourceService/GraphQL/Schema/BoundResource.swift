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
    /// - Parameter argument: The name of the argument in errors.
    /// - Throws: ``ServiceError`` unless the object has either a field or one aggregate.
    func order(_ sort: ObjectValue, _ argument: String, _ catalogue: Catalogue) throws -> RowOrder {
        var values: [RowOrder.Value] = []
        if case .enum(let name)? = sort[SortArgument.field], let field = sortFields[name] {
            values.append(.field(field))
        }
        for relation in resource.relationsInSort {
            guard let aggregate = sort[relation.name].flatMap(Aggregate.init) else { continue }
            let target = try catalogue.target(of: relation)
            guard target.sortAggregates.contains(aggregate) else {
                throw ServiceError(
                    .invalidParameter,
                    "\(argument) has no aggregate \(relation.name).\(aggregate.name), because a cursor would contain a long text",
                    parameter: argument, allowed: target.sortAggregates.map(\.name))
            }
            values.append(.aggregate(aggregate, of: relation.name))
        }
        guard values.count == 1 else {
            throw ServiceError(
                .invalidParameter, "each element of \(argument) needs either field or one aggregate of a relation",
                parameter: argument)
        }
        return RowOrder(values[0], descending: sort[SortArgument.direction] == .enum("DESCENDING"))
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

extension Resource {
    /// The relations whose aggregates an order in GraphQL can contain.
    var relationsInSort: [Relation] {
        relations.filter {
            comparedRelations.contains($0.name) && ![SortArgument.field, SortArgument.direction].contains($0.name)
        }
    }

    /// True if clients can sort lists in GraphQL.
    var isSortedInGraphQL: Bool { !sortFields.isEmpty || !relationsInSort.isEmpty }
}

extension Aggregate {
    /// Creates the aggregate of an input object with one member; nil for any other value.
    init?(_ value: Value) {
        for member in value.inputMembers ?? [] {
            guard case .enum(let constant) = member.value else { continue }
            if member.name == AggregateFunction.count.rawValue {
                self.init(.count)
                return
            }
            guard
                let function = AggregateFunction.allCases.first(where: { $0.rawValue.screamingSnakeCase == constant })
            else { return nil }
            self.init(function, member.name)
            return
        }
        return nil
    }
}
