import DuetGraphQL
import DuetJSON
import DuetSQLDatabase

/// Converts the fields of a GraphQL operation, with their arguments and selections, to questions.
struct SelectionReader {
    let catalogue: Catalogue
    let values: ValueReader
    /// The operation. It provides the coerced arguments of nested fields.
    let operation: OperationContext

    private var filters: FilterReader { FilterReader(catalogue: catalogue, values: values) }

    /// Returns the question for a field of `Query`.
    /// - Throws: ``ServiceError`` or `GraphQLError` for an argument with an invalid value.
    func question(_ field: PlannedField, _ arguments: ObjectValue) throws -> Question {
        guard let selection = field.selection else { throw UnknownFieldError(field) }
        for resource in catalogue.resources {
            if resource.hasItems, field.name == resource.singular {
                return Question(
                    .item(resource: resource.name, key: try key(of: resource, arguments)),
                    .item(try self.selection(selection, resource)))
            }
            guard field.name == resource.name else { continue }
            switch resource.collection {
            case .none: break
            case .few:
                return Question(
                    .list(resource: resource.name, try window(field, resource, arguments, size: nil)),
                    .list(.array(try self.selection(selection, resource))))
            case .pages(let size):
                return Question(
                    .list(resource: resource.name, try window(field, resource, arguments, size: size)),
                    .list(.page(try page(selection, resource))))
            }
        }
        throw UnknownFieldError(field)
    }

    /// Returns the key of a row from the arguments of a field of `Query`.
    func key(of resource: Resource, _ arguments: ObjectValue) throws -> [SQLValue] {
        try resource.itemArguments.map { name, field in
            guard case .string(let text)? = arguments[name] else {
                return try values.value(JSONValue(arguments[name] ?? .null), of: field, field.name)
            }
            return try values.value(text, of: field, field.name)
        }
    }

    // MARK: Selections

    /// Returns the selected members of a row of a resource.
    func selection(_ selection: PlannedSelection, _ resource: Resource) throws -> Selection {
        Selection(try selection.fields.map { try member($0, resource) })
    }

    private func member(_ field: PlannedField, _ resource: Resource) throws -> Selection.Member {
        if resource.field(field.name) != nil { return .field(name: field.responseName, field.name) }
        if field.isTypeName { return .constant(name: field.responseName, json: Self.typeName(field)) }
        if field.name == "id" { return .identifier(name: field.responseName) }
        guard let relation = resource.relation(field.name), let below = field.selection else {
            throw UnknownFieldError(field)
        }
        let target = try catalogue.target(of: relation)
        return try Self.locating(field) {
            guard relation.isToMany else {
                return .item(name: field.responseName, relation: relation.name, try selection(below, target))
            }
            let arguments = try operation.arguments(of: field)
            if case .many(let size) = relation.size {
                return .list(
                    name: field.responseName, relation: relation.name,
                    try window(field, target, arguments, size: size), .page(try page(below, target)))
            }
            return .list(
                name: field.responseName, relation: relation.name, try window(field, target, arguments, size: nil),
                .array(try selection(below, target)))
        }
    }

    static func typeName(_ field: PlannedField) -> String { "\"\(field.parentType.name)\"" }

    /// Runs a closure that reads a field. If the closure throws an error about arguments of the field or of a nested
    /// field, the response name of the field is prepended to the path of the error.
    private static func locating<Value>(_ field: PlannedField, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            guard error is ServiceError || error is GraphQLError else { throw error }
            var located = GraphQLError(error)
            located.path = [.key(field.responseName)] + (located.path ?? [])
            throw located
        }
    }

    // MARK: Pages

    private func page(_ selection: PlannedSelection, _ resource: Resource) throws -> [PageMember] {
        try selection.fields.map { field in
            try Self.locating(field) { try pageMember(field, resource) }
        }
    }

    private func pageMember(_ field: PlannedField, _ resource: Resource) throws -> PageMember {
        let name = field.responseName
        if field.isTypeName { return .constant(name: name, json: Self.typeName(field)) }
        switch (field.name, field.selection) {
        case ("totalCount", nil): return .totalCount(name: name)
        case ("nodes", let below?): return .nodes(name: name, try selection(below, resource))
        case ("edges", let below?):
            return .edges(
                name: name,
                try below.fields.map { field in
                    let name = field.responseName
                    if field.isTypeName { return .constant(name: name, json: Self.typeName(field)) }
                    if field.name == "cursor" { return .cursor(name: name) }
                    guard let node = field.selection else { throw UnknownFieldError(field) }
                    return .node(name: name, try selection(node, resource))
                })
        case ("pageInfo", let below?):
            return .pageInfo(
                name: name,
                try below.fields.map { field in
                    let name = field.responseName
                    if field.isTypeName { return .constant(name: name, json: Self.typeName(field)) }
                    switch field.name {
                    case "hasNextPage": return .hasNextPage(name: name)
                    case "hasPreviousPage": return .hasPreviousPage(name: name)
                    case "startCursor": return .startCursor(name: name)
                    case "endCursor": return .endCursor(name: name)
                    default: throw UnknownFieldError(field)
                    }
                })
        default: throw UnknownFieldError(field)
        }
    }

    // MARK: Windows

    /// Returns the ``Window`` of a list from the arguments of a field: the filter, the order, the number of rows and
    /// the cursor.
    /// - Parameter size: The default size of a page; nil for a list without pages.
    private func window(
        _ field: PlannedField, _ resource: Resource, _ arguments: ObjectValue, size: Int?
    ) throws -> Window {
        var filters: [Filter] = []
        if case .object(let object)? = arguments["filter"], case .object(let json) = JSONValue(.object(object)) {
            filters.append(try self.filters.filter(json, of: resource, "filter"))
        }
        for filter in resource.filters {
            guard case .flag(let whenTrue, let whenFalse) = filter.meaning,
                case .bool(let isTrue)? = arguments[filter.name]
            else { continue }
            filters.append(isTrue ? whenTrue : whenFalse)
        }
        var after: String?
        if case .string(let text)? = arguments["after"] { after = text }
        return Window(
            filter: filters.count == 1 ? filters[0] : .all(filters), order: try order(arguments, resource),
            first: try pageSize(field, arguments) ?? size, after: after)
    }

    /// Returns the value of the argument `first`; nil if the argument is missing.
    /// - Throws: ``ServiceError`` for a number of rows that is out of range.
    private func pageSize(_ field: PlannedField, _ arguments: ObjectValue) throws -> Int? {
        guard case .int(let size)? = arguments["first"] else { return nil }
        guard (1...Int64(ResourceService.maximumPageSize)).contains(size) else {
            throw ServiceError(
                .invalidParameter,
                "first of \(field.responseName) must be a whole number from 1 to \(ResourceService.maximumPageSize)",
                parameter: "first")
        }
        return Int(size)
    }

    private func order(_ arguments: ObjectValue, _ resource: Resource) throws -> [SortField] {
        switch (arguments["sort"], arguments["orderBy"]) {
        case (.object?, .list?):
            throw ServiceError(
                .invalidParameter, "sort and orderBy cannot be combined; use orderBy", parameter: "sort")
        case (.object(let sort)?, _): return [sortField(sort, resource)].compactMap(\.self)
        case (_, .list(let sorts)?):
            var order: [SortField] = []
            for case .object(let sort) in sorts {
                // A repeated field does not change the order.
                guard let field = sortField(sort, resource), !order.contains(where: { $0.field == field.field }) else {
                    continue
                }
                order.append(field)
            }
            return order
        default: return []
        }
    }

    private func sortField(_ sort: ObjectValue, _ resource: Resource) -> SortField? {
        guard case .enum(let name)? = sort["field"],
            let field = resource.sortFields.first(where: { $0.screamingSnakeCase == name })
        else { return nil }
        return SortField(field, descending: sort["direction"] == .enum("DESCENDING"))
    }
}

/// The error for a field of the schema that does not exist in the catalogue. It indicates a bug in ``SDLPrinter``.
struct UnknownFieldError: Error, CustomStringConvertible {
    let description: String

    init(_ field: PlannedField) {
        description = "the catalogue has no \(field.parentType.name).\(field.name)"
    }
}
