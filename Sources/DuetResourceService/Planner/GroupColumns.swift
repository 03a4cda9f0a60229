import DuetResultSetJSON
import DuetSQLDatabase

/// The columns of a statement that reads groups: the keys, and the aggregates that the response, the condition on the
/// groups or their order needs.
struct GroupColumns {
    /// A key in the statement.
    private struct Key {
        /// The field with the type of the key's values.
        let field: Field
        /// The column; nil for a part of a date.
        let column: AggregatedColumn?
        /// The SQL expression by which the rows are grouped: a column, or a label.
        let expression: String
        /// The label, if the expression is one.
        let label: String?
    }

    private let planner: Planner
    private let resource: Resource
    private let names: [GroupKey]
    private let keys: [Key]
    private var aggregates: [Aggregate] = []
    /// False if the statement is a subquery without labels, so that conditions contain the aggregates themselves.
    var usesLabels = true

    /// Creates the columns, with the keys of an aggregation.
    init(_ aggregation: Aggregation, _ draft: inout StatementDraft, _ planner: Planner) throws {
        self.planner = planner
        let resource = draft.source.resource
        self.resource = resource
        names = aggregation.keys
        keys = try aggregation.keys.enumerated().map { index, key in
            let field = try planner.catalogue.field(of: key, in: resource)
            let source = try planner.catalogue.source(of: key, in: resource)
            let target = key.relation.flatMap(resource.relation)?.target
            let column = try AggregatedColumn(
                source, named: "\(target ?? resource.name).\(key.field)", of: resource, &draft, planner)
            let isWhole = key.part == nil
            let expression =
                try key.part.map {
                    try column.part($0, in: aggregation.timeZone, of: resource, &draft.scope).sql
                } ?? column.key
            guard !isWhole || column.needsLabel else {
                return Key(field: field, column: column, expression: expression, label: nil)
            }
            // The expression can be long, so that the statement contains it once, and then uses its label.
            let label = isWhole ? "__group_\(index)" : Self.label(index)
            _ = draft.columns.position(of: expression, label: label)
            return Key(
                field: field, column: isWhole ? column : nil, expression: SQLIdentifier.quoted(label), label: label)
        }
    }

    /// The terms of the `GROUP BY` clause.
    var grouping: String { keys.map(\.expression).joined(separator: ", ") }

    // MARK: Keys

    private func index(of key: GroupKey) throws -> Int {
        guard let index = names.firstIndex(of: key) else { throw CatalogueError("the groups have no key \(key.name)") }
        return index
    }

    private static func label(_ index: Int) -> String { "__key_\(index)" }

    /// Returns a member of the response for a key. The function adds the column if the statement does not contain it.
    func member(_ name: String, _ key: GroupKey, _ draft: inout StatementDraft) throws -> ObjectShape.Member {
        let index = try index(of: key)
        let field = keys[index].field
        var format = field.format
        format.rejectsZeroDates = true
        return .column(name: name, .index(position(index, &draft)), format, choices: field.choices)
    }

    /// Returns the position of the value of a key in a group. Texts that are equal in their collation are in one group,
    /// which the smallest of them in the order of bytes represents.
    private func position(_ index: Int, _ draft: inout StatementDraft) -> Int {
        let key = keys[index]
        if let representative = key.column?.representative {
            return draft.columns.position(of: representative, label: Self.label(index))
        }
        return draft.columns.position(of: key.expression, label: key.label ?? Self.label(index))
    }

    /// Adds the columns of the keys, for cursors.
    func addKeys(_ draft: inout StatementDraft) {
        for index in keys.indices { _ = position(index, &draft) }
    }

    // MARK: Aggregates

    private mutating func label(_ aggregate: Aggregate) -> String {
        if let index = aggregates.firstIndex(of: aggregate) { return "__aggregate_\(index)" }
        aggregates.append(aggregate)
        return "__aggregate_\(aggregates.count - 1)"
    }

    /// Returns a member of the response for an aggregate. The function adds the column if the statement does not
    /// contain it.
    mutating func member(
        _ name: String, _ aggregate: Aggregate, _ draft: inout StatementDraft
    ) throws -> ObjectShape.Member {
        let field = try resource.field(of: aggregate)
        let position = draft.columns.position(of: try expression(aggregate, &draft), label: label(aggregate))
        var format = field.format
        format.omitsZeros = aggregate.function == .avg
        format.rejectsZeroDates = true
        return .column(name: name, .index(position), format, choices: field.choices)
    }

    /// Returns the expression for the value of an aggregate.
    private func expression(_ aggregate: Aggregate, _ draft: inout StatementDraft) throws -> String {
        guard let column = try column(aggregate, &draft) else { return "COUNT(*)" }
        return try column.aggregate(aggregate.function, number(aggregate))
    }

    /// Returns the column of an aggregate; nil for the number of rows.
    private func column(_ aggregate: Aggregate, _ draft: inout StatementDraft) throws -> AggregatedColumn? {
        try aggregate.field.map {
            try AggregatedColumn(try resource.requiredField($0), of: resource, &draft, planner)
        }
    }

    /// The type of the numbers of an aggregate; nil if its values are not numbers, or are those of whole numbers. The
    /// rule of a role can aggregate a field that the role does not see.
    private func number(_ aggregate: Aggregate) -> AggregateNumber? {
        guard let field = aggregate.field.flatMap(resource.declaredField) else { return nil }
        switch (aggregate.function, field.type) {
        case (.count, _), (.countDistinct, _), (.min, .integer), (.max, .integer): return nil
        default: return planner.catalogue.aggregateNumber(of: field, resource)
        }
    }

    /// Returns the expression for the comparison of an aggregate with a value, or with that of another group. The
    /// expression refers to the column of the aggregate, which the function adds if the statement does not contain it.
    /// MariaDB would compute the aggregate again for each occurrence in the statement.
    private mutating func comparable(_ aggregate: Aggregate, _ draft: inout StatementDraft) throws -> String {
        var operand = try expression(aggregate, &draft)
        if usesLabels {
            let label = label(aggregate)
            _ = draft.columns.position(of: operand, label: label)
            operand = SQLIdentifier.quoted(label)
        }
        return comparable(operand, aggregate) + (try collation(aggregate, &draft).map { " COLLATE \($0)" } ?? "")
    }

    /// Returns the collation that the comparison of an aggregate needs, because its expression has none; nil if it
    /// needs none.
    func collation(_ aggregate: Aggregate, _ draft: inout StatementDraft) throws -> String? {
        guard aggregate.function.isExtreme, number(aggregate) == nil else { return nil }
        return try column(aggregate, &draft)?.collation
    }

    /// Returns the expression for the value of an aggregate in a cursor. The statement fails if the value is too long.
    func cursorValue(_ aggregate: Aggregate, _ draft: inout StatementDraft) throws -> String {
        let value = try expression(aggregate, &draft)
        guard aggregate.function.isExtreme, number(aggregate) == nil else { return value }
        return try column(aggregate, &draft)?.limited(value) ?? value
    }

    // MARK: Order

    /// Returns the order of the groups: the requested order, followed by the other keys.
    mutating func order(_ aggregation: Aggregation, _ draft: inout StatementDraft) throws -> [OrderColumn] {
        var order: [GroupOrder] = []
        for term in aggregation.order + names.map({ GroupOrder(.key($0)) })
        where !order.contains(where: { $0.value == term.value }) {
            order.append(term)
        }
        var columns: [OrderColumn] = []
        for term in order {
            switch term.value {
            case .key(let key):
                columns.append(column(try index(of: key), descending: term.descending, &draft))
            case .aggregate(let aggregate):
                // The cursor contains the value of the response.
                columns.append(
                    try orderColumn(aggregate, label: label(aggregate), descending: term.descending, &draft))
            }
        }
        return columns
    }

    /// Returns the column of an order by an aggregate.
    /// - Parameter label: The label of the column with the value.
    mutating func orderColumn(
        _ aggregate: Aggregate, label: String, descending: Bool, _ draft: inout StatementDraft
    ) throws -> OrderColumn {
        let field = try resource.field(of: aggregate)
        let expression = try comparable(aggregate, &draft)
        return OrderColumn(
            label: label, expression: expression, field: field, type: field.type, descending: descending,
            isNull: "\(expression) IS NULL", narrowCollation: narrowCollation(aggregate), permitsDigest: false,
            number: number(aggregate))
    }

    private func column(_ index: Int, descending: Bool, _ draft: inout StatementDraft) -> OrderColumn {
        let key = keys[index]
        return OrderColumn(
            // The cursor contains the value by which the rows are grouped, if the statement selects it.
            label: key.label ?? Self.label(index), expression: key.expression, field: key.field, type: key.field.type,
            descending: descending, isNull: planner.isNull(key.expression, key.field),
            narrowCollation: key.column == nil ? nil : planner.catalogue.narrowCollation(of: key.field, resource),
            permitsDigest: false)
    }

    /// Returns the collation of the texts of which an aggregate is the least or the greatest, if the column is narrow.
    private func narrowCollation(_ aggregate: Aggregate) -> NarrowCollation? {
        guard aggregate.function.isExtreme, let field = aggregate.field.flatMap(resource.declaredField) else {
            return nil
        }
        return planner.catalogue.narrowCollation(of: field, resource)
    }

    // MARK: Conditions

    /// Returns the condition on the groups; nil if there is none.
    mutating func condition(_ filter: GroupFilter, _ draft: inout StatementDraft) throws -> String? {
        if case .all(let filters) = filter, filters.isEmpty { return nil }
        return try sql(filter, &draft)
    }

    private mutating func sql(_ filter: GroupFilter, _ draft: inout StatementDraft) throws -> String {
        switch filter {
        case .compare(let aggregate, let comparison, let values):
            return try compare(aggregate, comparison, values, &draft)
        case .isNull(let aggregate, let isNull):
            return "\(try comparable(aggregate, &draft)) IS\(isNull ? "" : " NOT") NULL"
        case .all(let filters):
            let parts = try filters.map { try sql($0, &draft) }
            return parts.isEmpty ? "1 = 1" : "(\(parts.joined(separator: " AND ")))"
        case .any(let filters):
            let parts = try filters.map { try sql($0, &draft) }
            return parts.isEmpty ? "1 = 0" : "(\(parts.joined(separator: " OR ")))"
        case .not(let filter): return "NOT (\(try sql(filter, &draft)))"
        }
    }

    private mutating func compare(
        _ aggregate: Aggregate, _ comparison: Comparison, _ values: [SQLValue], _ draft: inout StatementDraft
    ) throws -> String {
        let field = try resource.field(of: aggregate)
        let label = try comparable(aggregate, &draft)
        let column = aggregate.function.isExtreme ? try column(aggregate, &draft) : nil
        let narrow = values.allSatisfy(\.isASCII) ? nil : narrowCollation(aggregate)
        let parameters = values.map { draft.scope.bind(.value(field.bound($0)), to: "having") }
        func operand(_ operand: String) -> String { column?.anySpelling(operand) ?? comparable(operand, aggregate) }
        let left = column?.anySpelling(label) ?? label
        func single(_ sign: String) -> String {
            guard let parameter = parameters.first else { return "1 = 0" }
            return narrow?.comparison(label, sign, parameter) ?? "\(left) \(sign) \(operand(parameter))"
        }
        switch comparison {
        case .equal: return single("=")
        case .notEqual: return single("<>")
        case .less: return single("<")
        case .lessOrEqual: return single("<=")
        case .greater: return single(">")
        case .greaterOrEqual: return single(">=")
        case .in:
            guard !parameters.isEmpty else { return "1 = 0" }
            guard let narrow else { return "\(left) IN (\(parameters.map(operand).joined(separator: ", ")))" }
            return "(\(parameters.map { narrow.comparison(label, "=", $0) }.joined(separator: " OR ")))"
        case .like: throw CatalogueError("groups have no condition with a pattern")
        }
    }

    /// Returns an operand of a comparison with an aggregate of numbers. Both operands need this form.
    private func comparable(_ operand: String, _ aggregate: Aggregate) -> String {
        number(aggregate).map { planner.dialect.comparable(operand, $0) } ?? operand
    }
}
