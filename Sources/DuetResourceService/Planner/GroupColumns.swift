import DuetResultSetJSON
import DuetSQLDatabase

/// The columns of a statement that reads groups: the keys, and the aggregates that the response, the condition on the
/// groups or their order needs.
struct GroupColumns {
    private let planner: Planner
    private let resource: Resource
    private let keys: [GroupKey]
    /// The fields of the keys.
    private let fields: [Field]
    /// The SQL expressions of the keys, by which the rows are grouped.
    private let expressions: [String]
    private var aggregates: [Aggregate] = []

    /// Creates the columns, with the keys of an aggregation.
    init(_ aggregation: Aggregation, _ draft: inout StatementDraft, _ planner: Planner) throws {
        self.planner = planner
        let resource = draft.source.resource
        self.resource = resource
        keys = aggregation.keys
        fields = try keys.map { try planner.catalogue.field(of: $0, in: resource) }
        expressions = try keys.enumerated().map { index, key in
            let field = try planner.catalogue.source(of: key, in: resource)
            guard let part = key.part else {
                let expression = try planner.orderExpression(of: field, &draft)
                guard expression != (try draft.expression(of: field)), planner.dialect.ordersChoicesByIndex else {
                    return expression
                }
                // In HAVING, MariaDB permits only columns by which the rows are grouped, and labels.
                let label = "__group_\(index)"
                _ = draft.columns.position(of: expression, label: label)
                return SQLIdentifier.quoted(label)
            }
            let expression = try planner.datePart(
                part, of: field, try draft.expression(of: field), in: aggregation.timeZone, of: resource, &draft.scope)
            // The expression of a part is long, so that the statement contains it once, and then uses its label.
            let label = Self.label(index)
            _ = draft.columns.position(of: expression.sql, label: label)
            return SQLIdentifier.quoted(label)
        }
    }

    /// The terms of the `GROUP BY` clause.
    var grouping: String { expressions.joined(separator: ", ") }

    // MARK: Keys

    private func index(of key: GroupKey) throws -> Int {
        guard let index = keys.firstIndex(of: key) else { throw CatalogueError("the groups have no key \(key.name)") }
        return index
    }

    private static func label(_ index: Int) -> String { "__key_\(index)" }

    /// Returns a member of the response for a key. The function adds the column if the statement does not contain it.
    func member(_ name: String, _ key: GroupKey, _ draft: inout StatementDraft) throws -> ObjectShape.Member {
        let index = try index(of: key)
        let position = draft.columns.position(of: try representative(index, &draft), label: Self.label(index))
        return .column(name: name, .index(position), fields[index].format, choices: fields[index].choices)
    }

    /// Returns the expression for the value of a key in a group. Texts that are equal in their collation are in one
    /// group, which the smallest of them in the order of bytes represents.
    private func representative(_ index: Int, _ draft: inout StatementDraft) throws -> String {
        let field = fields[index]
        // The column of a part exists already.
        guard keys[index].part == nil else { return expressions[index] }
        let column = try draft.expression(of: field)
        switch field.type {
        case .text, .identifier, .choice:
            return planner.dialect.representative(column, isStoredAsBytes: field.isStoredAsBytes)
        default: return column
        }
    }

    /// Adds the columns of the keys, for cursors.
    func addKeys(_ draft: inout StatementDraft) throws {
        for index in keys.indices {
            _ = draft.columns.position(of: try representative(index, &draft), label: Self.label(index))
        }
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
        return .column(name: name, .index(position), format, choices: field.choices)
    }

    /// Returns the expression for the value of an aggregate.
    private func expression(_ aggregate: Aggregate, _ draft: inout StatementDraft) throws -> String {
        guard let name = aggregate.field else { return "COUNT(*)" }
        let field = try resource.requiredField(name)
        let column = try draft.expression(of: field)
        let dialect = planner.dialect
        switch aggregate.function {
        case .count: return "COUNT(\(column))"
        case .countDistinct: return "COUNT(DISTINCT \(try planner.orderExpression(of: field, &draft)))"
        case .min, .max:
            let function = aggregate.function == .min ? "MIN" : "MAX"
            return "\(function)(\(try planner.orderExpression(of: field, &draft)))"
        case .sum:
            guard field.type != .boolean else { return dialect.countOfTrue(column) }
            return dialect.sum(column, try number(field))
        case .avg: return dialect.average(column, try number(field))
        }
    }

    private func number(_ field: Field) throws -> AggregateNumber {
        guard let number = planner.catalogue.aggregateNumber(of: field, resource) else {
            throw CatalogueError("the values of \(field.name) are not numbers")
        }
        return number
    }

    /// Returns the expression for the comparison of an aggregate with a value, or with that of another group. The
    /// expression refers to the column of the aggregate, which the function adds if the statement does not contain it.
    /// MariaDB would compute the aggregate again for each occurrence in the statement.
    private mutating func comparable(_ aggregate: Aggregate, _ draft: inout StatementDraft) throws -> String {
        let label = label(aggregate)
        _ = draft.columns.position(of: try expression(aggregate, &draft), label: label)
        return comparable(SQLIdentifier.quoted(label), aggregate)
    }

    // MARK: Order

    /// Returns the order of the groups: the requested order, followed by the other keys.
    mutating func order(_ aggregation: Aggregation, _ draft: inout StatementDraft) throws -> [OrderColumn] {
        var order: [GroupOrder] = []
        for term in aggregation.order + keys.map({ GroupOrder(.key($0)) })
        where !order.contains(where: { $0.value == term.value }) {
            order.append(term)
        }
        var columns: [OrderColumn] = []
        for term in order {
            switch term.value {
            case .key(let key):
                let index = try index(of: key)
                columns.append(column(index, expressions[index], descending: term.descending, &draft))
            case .aggregate(let aggregate):
                let field = try resource.field(of: aggregate)
                // The cursor contains the value of the response.
                let expression = try comparable(aggregate, &draft)
                columns.append(
                    OrderColumn(
                        label: label(aggregate), expression: expression, field: field, type: field.type,
                        descending: term.descending, isNull: "\(expression) IS NULL", narrowCollation: nil,
                        permitsDigest: false, number: number(aggregate)))
            }
        }
        return columns
    }

    private func column(
        _ index: Int, _ expression: String, descending: Bool, _ draft: inout StatementDraft
    ) -> OrderColumn {
        let field = fields[index]
        return OrderColumn(
            label: Self.label(index), expression: expression, field: field, type: field.type, descending: descending,
            isNull: planner.isNull(expression, field),
            narrowCollation: keys[index].part == nil ? planner.catalogue.narrowCollation(of: field, resource) : nil,
            permitsDigest: false)
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
            let expression = try comparable(aggregate, &draft)
            let field = try resource.field(of: aggregate)
            let list = values.map { comparable(draft.scope.bind(.value(field.bound($0)), to: "having"), aggregate) }
            func single(_ sign: String) -> String { "\(expression) \(sign) \(list.first ?? "NULL")" }
            switch comparison {
            case .equal: return single("=")
            case .notEqual: return single("<>")
            case .less: return single("<")
            case .lessOrEqual: return single("<=")
            case .greater: return single(">")
            case .greaterOrEqual: return single(">=")
            case .in:
                return list.isEmpty ? "1 = 0" : "\(expression) IN (\(list.joined(separator: ", ")))"
            case .like: throw CatalogueError("groups have no condition with a pattern")
            }
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

    /// Returns an operand of a comparison. Both operands of a comparison of sums or averages need this form.
    private func comparable(_ operand: String, _ aggregate: Aggregate) -> String {
        number(aggregate).map { planner.dialect.comparable(operand, $0) } ?? operand
    }

    /// The type of the numbers of a sum or an average; nil for any other aggregate.
    private func number(_ aggregate: Aggregate) -> AggregateNumber? {
        guard [.sum, .avg].contains(aggregate.function) else { return nil }
        return aggregate.field.flatMap(resource.field).flatMap {
            planner.catalogue.aggregateNumber(of: $0, resource)
        }
    }
}
