import DuetGraphQL
import DuetJSON

/// Converts the fields of a GraphQL operation, with their arguments and selections, to questions. The bindings of the
/// fields determine the resources, fields and relations.
struct SelectionReader {
    let filters: FilterReader
    /// The operation. It provides the coerced arguments of nested fields.
    let operation: OperationContext

    /// Returns the question for a field of `Query`.
    /// - Throws: ``ServiceError`` or `GraphQLError` for an argument with an invalid value.
    func question(_ field: PlannedField, _ arguments: ObjectValue) throws -> Question {
        switch try field.binding(as: QueryField.self) {
        case .item(let bound):
            return Question(
                .item(resource: bound.resource.name, key: try bound.key(arguments, filters.values)),
                .item(try selection(field.subfields)))
        case .list(let bound):
            return Question(
                .list(resource: bound.resource.name, try window(field, bound, arguments, size: nil)),
                .list(.array(try selection(field.subfields))))
        case .page(let bound, let size):
            return Question(
                .list(resource: bound.resource.name, try window(field, bound, arguments, size: size)),
                .list(.page(try page(field.subfields))))
        case .aggregate(let bound):
            return Question(
                .list(resource: bound.resource.name, try window(field, bound, arguments, size: nil)),
                .groups(Aggregation(), .object(try groupMembers(field.subfields, []))))
        case .groups(let bound):
            return Question(
                .list(resource: bound.resource.name, Window(filter: try filter(bound, arguments))),
                try groups(field, bound, arguments))
        }
    }

    // MARK: Selections

    /// Returns the selected members of a row.
    func selection(_ fields: [PlannedField]) throws -> Selection { Selection(try fields.map(member)) }

    private func member(_ field: PlannedField) throws -> Selection.Member {
        let name = field.responseName
        if field.isTypeName { return .constant(name: name, json: Self.typeName(field)) }
        switch try field.binding(as: RowField.self) {
        case .identifier: return .identifier(name: name)
        case .entityTag: return .entityTag(name: name)
        case .field(let column): return .field(name: name, column)
        case .item(let relation):
            return try Self.locating(field) {
                .item(name: name, relation: relation, try selection(field.subfields))
            }
        case .list(let relation, let target):
            return try Self.locating(field) {
                .list(
                    name: name, relation: relation,
                    try window(field, target, try operation.arguments(of: field), size: nil),
                    .array(try selection(field.subfields)))
            }
        case .page(let relation, let target, let size):
            return try Self.locating(field) {
                .list(
                    name: name, relation: relation,
                    try window(field, target, try operation.arguments(of: field), size: size),
                    .page(try page(field.subfields)))
            }
        case .aggregate(let relation, let target):
            return try Self.locating(field) {
                .aggregate(
                    name: name, relation: relation, try filter(target, try operation.arguments(of: field)),
                    try groupMembers(field.subfields, []))
            }
        }
    }

    static func typeName(_ field: PlannedField) -> String { "\"\(field.parentType.name)\"" }

    /// Runs a closure that reads a field. If the closure throws an error about arguments of the field or of a nested
    /// field, the response name of the field is prepended to the path of the error.
    static func locating<Value>(_ field: PlannedField, _ body: () throws -> Value) throws -> Value {
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

    private func page(_ fields: [PlannedField]) throws -> [PageMember] {
        try fields.map { field in
            try Self.locating(field) { try pageMember(field) }
        }
    }

    private func pageMember(_ field: PlannedField) throws -> PageMember {
        let name = field.responseName
        if field.isTypeName { return .constant(name: name, json: Self.typeName(field)) }
        return switch try field.binding(as: PageField.self) {
        case .totalCount: .totalCount(name: name)
        case .nodes: .nodes(name: name, try selection(field.subfields))
        case .edges: .edges(name: name, try field.subfields.map(edgeMember))
        case .pageInfo: .pageInfo(name: name, try field.subfields.map(Self.pageInfoMember))
        }
    }

    private func edgeMember(_ field: PlannedField) throws -> EdgeMember {
        let name = field.responseName
        if field.isTypeName { return .constant(name: name, json: Self.typeName(field)) }
        return switch try field.binding(as: EdgeField.self) {
        case .cursor: .cursor(name: name)
        case .node: .node(name: name, try selection(field.subfields))
        }
    }

    static func pageInfoMember(_ field: PlannedField) throws -> PageInfoMember {
        let name = field.responseName
        if field.isTypeName { return .constant(name: name, json: typeName(field)) }
        return switch try field.binding(as: PageInfoField.self) {
        case .hasNextPage: .hasNextPage(name: name)
        case .hasPreviousPage: .hasPreviousPage(name: name)
        case .startCursor: .startCursor(name: name)
        case .endCursor: .endCursor(name: name)
        }
    }

    // MARK: Windows

    /// Returns the ``Window`` of a list from the arguments of a field: the filter, the order, the number of rows and
    /// the cursor.
    /// - Parameter size: The default size of a page; nil for a list without pages.
    private func window(
        _ field: PlannedField, _ bound: BoundResource, _ arguments: ObjectValue, size: Int?
    ) throws -> Window {
        var after: String?
        if case .string(let text)? = arguments[ListArgument.after] { after = text }
        return Window(
            filter: try filter(bound, arguments), order: try order(arguments, bound),
            first: try pageSize(field, arguments) ?? size, after: after)
    }

    private func filter(_ bound: BoundResource, _ arguments: ObjectValue) throws -> Filter {
        var filters: [Filter] = []
        if case .object(let object)? = arguments[ListArgument.filter],
            case .object(let json) = JSONValue(.object(object))
        {
            filters.append(try self.filters.filter(json, of: bound.resource, ListArgument.filter))
        }
        filters += bound.filters(arguments)
        return filters.count == 1 ? filters[0] : .all(filters)
    }

    /// Returns the value of the argument `first`; nil if the argument is missing.
    /// - Throws: ``ServiceError`` for a number of rows that is out of range.
    func pageSize(_ field: PlannedField, _ arguments: ObjectValue) throws -> Int? {
        guard case .int(let size)? = arguments[ListArgument.first] else { return nil }
        guard (1...Int64(ResourceService.maximumPageSize)).contains(size) else {
            throw ServiceError(
                .invalidParameter,
                "first of \(field.responseName) must be a whole number from 1 to \(ResourceService.maximumPageSize)",
                parameter: ListArgument.first)
        }
        return Int(size)
    }

    private func order(_ arguments: ObjectValue, _ bound: BoundResource) throws -> [RowOrder] {
        switch (arguments[ListArgument.sort], arguments[ListArgument.orderBy]) {
        case (.object?, .list?):
            throw ServiceError(
                .invalidParameter, "sort and orderBy cannot be combined; use orderBy", parameter: ListArgument.sort)
        case (.object(let sort)?, _): return [try bound.order(sort, ListArgument.sort, filters.catalogue)]
        case (_, .list(let sorts)?):
            var order: [RowOrder] = []
            for case .object(let sort) in sorts {
                order.add(try bound.order(sort, ListArgument.orderBy, filters.catalogue))
            }
            try order.checkAggregates(ListArgument.orderBy)
            return order
        default: return []
        }
    }
}
