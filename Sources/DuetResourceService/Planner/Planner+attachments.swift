import DuetResultSetJSON
import DuetSQLDatabase

/// The planning of statements that read the related rows of many parent rows at once.
extension Planner {
    /// Returns the attached query of a to-one relation.
    func item(
        _ name: String, _ relation: Relation, of parent: Resource, _ selection: Selection, keys: [String],
        _ summary: inout PlanSummary
    ) throws -> Attachment {
        var draft = try StatementDraft(relation, of: parent, self)
        let target = draft.source.resource
        summary.show(target, through: relation)
        let rows = try rows(
            selection, &draft, &summary, named: relation.named(by: parent.entities, of: parent, in: target))
        // If several related rows exist, the response contains the first row in this order.
        let order = try relation.order.map { order in
            switch order {
            case .field(let name, let descending):
                let field = try target.requiredField(name)
                return catalogue.compared(try draft.expression(of: field), field, of: target)
                    + (descending ? " DESC" : "")
            case .join(let index, let column, let descending):
                return draft.source.compared(column, ofJoin: index) + (descending ? " DESC" : "")
            }
        }
        var form = AttachedMember(name, form: .object)
        if relation.size == .one(isOptional: false) { form.requiredBy = parent.name }
        let shape = ObjectShape(rows.members, of: target.name)
        let statement = try AttachedStatement(&draft, relation, of: parent, keys, self)
        summary.add(draft.scope)
        guard statement.numbersKeys, statement.bindsKeys, !draft.scope.parameters.contains(where: \.isList),
            dialect.comparesArgumentsAsColumns || relation.comparesTexts(of: parent, with: target)
        else {
            return Attachment(
                form, for: keys, statement.all(order, draft.scope.arguments), source: rows.source,
                maximumScan: target.maximumScan, shape: shape, recordedKeys: rows.entities,
                attachments: rows.attachments)
        }
        // A join with the parent table would read all parent rows, although many of them have the same key. Therefore
        // the statement uses only the distinct keys. If it cannot repeat the query for each key, a VALUES clause
        // contains the keys.
        guard dialect.repeatsQueries else {
            return Attachment(
                form, for: keys, statement.listed(order, draft.scope.arguments), source: rows.source,
                maximumScan: target.maximumScan, shape: shape, recordedKeys: rows.entities,
                attachments: rows.attachments)
        }
        draft.scope.bind(.integer(1), as: "_limit")
        return Attachment(
            form, for: keys, statement.forEachKey(order, draft.scope.arguments), source: rows.source,
            maximumScan: target.maximumScan, shape: shape, recordedKeys: rows.entities,
            attachments: rows.attachments)
    }

    /// Returns the attached query of a to-many relation.
    /// - Throws: ``ServiceError`` for a cursor that does not belong to the list.
    func list(
        _ name: String, _ relation: Relation, of parent: Resource, _ window: Window, _ form: ListForm, keys: [String],
        _ summary: inout PlanSummary
    ) throws -> Attachment {
        var draft = try StatementDraft(relation, of: parent, self)
        let target = draft.source.resource
        summary.show(target, through: relation)
        if target.isEntity { summary.depend(on: target) }
        summary.depend(on: window.filter, of: target)
        try restrict(&draft.source, to: window.filter, &draft.scope)
        var limit = window.first
        if case .many(let pageSize) = relation.size { limit = limit ?? pageSize }
        // The columns of the parent row's key have the same value in all rows of a list, so they are omitted from the
        // order.
        let fields = relation.order.compactMap(\.sortField)
        let parentKey = relation.joins.isEmpty ? Set(relation.keyColumns) : []
        let order = try order(window.order, catalogue: fields, &draft, parentKey: parentKey)
        summary.depend(on: order, of: target)
        let context = order.context(of: "\(parent.name)/\(relation.name)", window.filter)
        let after = try window.after.map { try Cursor(decoding: $0, context: context, order: order) }
        if let after {
            draft.source.conditions.append(try following(after, order, of: draft.source.resource, &draft.scope))
        }
        // A statement that repeats the query for each key would also repeat the values of a list.
        let bindsKeys =
            catalogue.classes(of: relation, parent, keysOnly: true) != .different
            && !draft.scope.parameters.contains(where: \.isList)
        let strategy = AttachedStatement.Strategy(
            relation, limit: limit, hasKey: target.hasKey, bindsKeys: bindsKeys, dialect)
        // With the strategy `correlated`, a subquery finds the keys of the rows, and the outer statement reads the rows
        // from the target's table.
        let found = draft.source
        var shownOrder = order
        if strategy == .correlated {
            draft.source = try RowSource(target, self, &draft.scope)
            shownOrder = try self.order(window.order, catalogue: fields, &draft, parentKey: parentKey)
        }
        let rows = try summary.descend(limit ?? relation.typicalSize) { summary in
            try self.rows(
                form, &draft, &summary, order: shownOrder, context: context, isContinued: after != nil,
                named: relation.named(by: parent.entities, of: parent, in: target))
        }
        var member = AttachedMember(name)
        var shape: ObjectShape? = ObjectShape(rows.members, of: target.name)
        if case .page = form {
            let page = PageForm(
                shownOrder.shape(of: rows.page, context), limit: limit ?? .max - 1,
                count: try count(relation, of: parent, window.filter, keys, &summary))
            member = AttachedMember(name, form: .page(page))
            shape = nil
            // One additional row is read to determine whether a next page exists.
            limit = limit.map { $0 + 1 }
        }
        if let limit { draft.scope.bind(.integer(limit), as: "_limit") }
        let statement = try AttachedStatement(&draft, relation, of: parent, keys, self)
        summary.add(draft.scope)
        let arguments = draft.scope.arguments
        let keyed =
            switch strategy {
            case .all: statement.all(order.map(\.sql), arguments)
            case .numbered: statement.numbered(order.map(\.sql), arguments)
            case .forEachKey: statement.forEachKey(order.map(\.sql), arguments)
            case .correlated: statement.correlated(found, order.map(\.sql), shownOrder.map(\.sql), arguments)
            }
        return Attachment(
            member, for: keys, keyed, source: rows.source, maximumScan: target.maximumScan, shape: shape,
            recordedKeys: rows.entities, attachments: rows.attachments)
    }

    /// Returns the attached query of the aggregates of a to-many relation's rows.
    func aggregate(
        _ name: String, _ relation: Relation, of parent: Resource, _ filter: Filter, _ members: [GroupMember],
        keys: [String], _ summary: inout PlanSummary
    ) throws -> Attachment {
        var draft = try StatementDraft(relation, of: parent, self)
        let target = draft.source.resource
        summary.show(target, through: relation)
        summary.depend(on: target)
        summary.depend(on: filter, of: target)
        summary.depend(
            onAggregates: Aggregation().aggregatedFields(.object(members)), of: target)
        // The statement examines all related rows, so it is not short.
        summary.descend(ResourceService.maximumPageSize) { _ in }
        try restrict(&draft.source, to: filter, &draft.scope, isCounting: true)
        var columns = try GroupColumns(Aggregation(), &draft, self)
        let shape = ObjectShape(try shape(members, &columns, &draft), of: target.name)
        var member = AttachedMember(name, form: .object)
        member.absent = try GroupMember.ofNoRows(members, target)
        let statement = try AttachedStatement(&draft, relation, of: parent, keys, self)
        summary.add(draft.scope)
        return Attachment(
            member, for: keys, statement.aggregates(draft.scope.arguments), source: target.name,
            maximumScan: target.maximumScan, shape: shape, recordedKeys: [], attachments: [[]])
    }

    private func count(
        _ relation: Relation, of parent: Resource, _ filter: Filter, _ keys: [String], _ summary: inout PlanSummary
    ) throws -> PageForm.CountQuery {
        var draft = try StatementDraft(relation, of: parent, self)
        try restrict(&draft.source, to: filter, &draft.scope, isCounting: true)
        summary.add(draft.scope)
        let statement = try AttachedStatement(&draft, relation, of: parent, keys, self)
        return PageForm.CountQuery(statement.count(draft.scope.arguments))
    }
}

extension Relation {
    /// Returns the types of the entities that each related row shares with its parent row, because the columns of the
    /// relation contain the keys of these entities. The statement for the parent row already records their names.
    func named(by entities: [Resource.Entity], of parent: Resource, in target: Resource) -> Set<String> {
        guard joins.isEmpty else { return [] }
        let shown = target.entities.filter { entity in
            let above = entity.fields.map { name -> String? in
                guard let field = target.declaredField(name), field.relation == nil else { return nil }
                return columns.first { $0.to == field.column }?.from
            }
            return entities.contains { other in
                other.type == entity.type && other.fields.map { parent.declaredField($0)?.column } == above
            }
        }
        return Set(shown.map(\.type))
    }
}

extension Relation {
    /// Returns true if the relation has no intermediate tables and all its columns are texts in both tables. Then
    /// SQLite compares a bound value in the same way as the column from which the value was read.
    fileprivate func comparesTexts(of parent: Resource, with target: Resource) -> Bool {
        func isText(_ field: Field?) -> Bool {
            switch field?.type {
            case .text, .choice, .identifier: true
            default: false
            }
        }
        return joins.isEmpty
            && columns.allSatisfy {
                isText(parent.ownField(ofColumn: $0.from)) && isText(target.ownField(ofColumn: $0.to))
            }
    }
}

extension FieldType {
    /// True if a value can be a number with a fraction.
    var hasFractions: Bool {
        switch self {
        case .number, .decimal, .any: true
        default: false
        }
    }
}

extension Relation.Order {
    /// The field and its direction; nil if the order uses a column of an intermediate table.
    package var sortField: SortField? {
        if case .field(let name, let descending) = self { SortField(name, descending: descending) } else { nil }
    }
}

/// Generates a statement that reads the related rows of several parent rows.
private struct AttachedStatement {
    /// The way in which a statement limits the number of rows per parent row.
    enum Strategy {
        /// No limit.
        case all
        /// The statement reads and numbers all related rows. This is suitable for a relation with few rows.
        case numbered
        /// A query reads the rows of one parent row, and `UNION ALL` repeats the query for each parent row. MariaDB
        /// stops reading the index at the limit.
        case forEachKey
        /// A correlated subquery finds the keys of the related rows for each parent row. It is used on SQLite, which
        /// has no `LATERAL` and limits a compound SELECT to 500 terms.
        case correlated

        /// - Parameter bindsKeys: False if the values of the parent rows must not be bound; see ``ComparisonClasses``.
        init(_ relation: Relation, limit: Int?, hasKey: Bool, bindsKeys: Bool, _ dialect: Dialect) {
            self =
                if limit == nil {
                    .all
                } else if case .many = relation.size, dialect.repeatsQueries ? bindsKeys : hasKey {
                    dialect.repeatsQueries ? .forEachKey : .correlated
                } else {
                    .numbered
                }
        }
    }

    private let source: RowSource
    private let columns: ColumnList
    /// The labels of the columns of the parent rows whose values are the arguments of the statement. They are also the
    /// names of the parameters for one key.
    private let keys: [String]
    /// The SQL expressions for the key of one parent row, for a comparison with ``RowSource/comparableKeys``.
    private let parameters: [String]
    private let comparesBytes: Bool
    /// True if a key that is bound to a parameter is compared like the column of the parent rows.
    let bindsKeys: Bool
    private let numbers: [ComparisonClass.Number?]
    /// True if a key can be a number with a fraction. A statement compares consecutive integers as a range, which can
    /// contain such numbers.
    private let hasFractions: Bool
    private let dialect: Dialect
    /// The table of the parent rows.
    private let parent: RowSource
    /// The columns of the parent rows in the relation's join conditions.
    private let parentColumns: [String]

    init(
        _ draft: inout StatementDraft, _ relation: Relation, of parent: Resource, _ keys: [String], _ planner: Planner
    ) throws {
        (source, columns, self.keys, dialect) = (draft.source, draft.columns, keys, planner.dialect)
        let catalogue = planner.catalogue
        comparesBytes = catalogue.equality(of: relation, parent) == .bytes
        bindsKeys = catalogue.classes(of: relation, parent, keysOnly: true) != .different
        numbers = catalogue.keyNumbers(of: relation, parent)
        hasFractions = relation.parentColumns.contains { parent.ownField(ofColumn: $0)?.type.hasFractions ?? true }
        parameters = zip(relation.keyPairs, keys).map {
            catalogue.narrowCollation(of: $0, relation, of: parent).comparable(":\($1)")
        }
        // The keys are values of parent rows that an earlier statement of the same snapshot has read. The condition of
        // the parent's resource therefore need not be checked again.
        self.parent = try RowSource(parent, planner, &draft.scope, .all)
        parentColumns = relation.parentColumns
    }

    private static func list(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: ", ") }

    /// Returns the clause ` ORDER BY …`; an empty text if there are no columns.
    private static func order(_ columns: [String]) -> String { columns.isEmpty ? "" : " ORDER BY \(list(columns))" }

    /// The name of the list parameter for the keys of all parent rows.
    private var listParameter: String { keys.joined(separator: "_") }

    /// Returns the condition that the columns are equal to the key of at least one parent row.
    private func isOneOfKeys(_ columns: [String]) -> String {
        let compared = columns.count == 1 ? columns[0] : "(\(Self.list(columns)))"
        return "\(compared) IN (:\(listParameter))"
    }

    /// Returns the indices of the key columns with a kind of number. MariaDB compares DECIMAL exactly only if the
    /// values are bound as decimals, and FLOAT only if they have its precision.
    private func keys(_ number: ComparisonClass.Number) -> Set<Int> {
        dialect.comparesNumbersByType ? Set(numbers.indices.filter { numbers[$0] == number }) : []
    }

    private func keyed(
        _ sql: String, _ arguments: Arguments, _ access: KeyedStatement.KeyAccess, _ keyColumns: [String]
    ) -> KeyedStatement {
        KeyedStatement(
            sql, arguments, access, keyColumns: keyColumns, decimalKeys: keys(.decimal), singleKeys: keys(.single))
    }

    /// Returns a statement that is run once for all keys.
    private func together(_ sql: String, _ arguments: Arguments, _ keyColumns: [String]) -> KeyedStatement {
        keyed(
            sql, arguments, .together(parameter: listParameter, returnsOtherKeys: numbersKeys || hasFractions),
            keyColumns)
    }

    // MARK: Parent rows

    /// The labels of the key columns in a derived table. They begin with two underscores, because labels of the draft
    /// can begin with one underscore.
    private var parentKeys: [String] { keys.indices.map { "__parent\($0)" } }

    /// The key columns of the derived table ``above``.
    private var aboveKeys: [String] { parentKeys.map { "above.\($0)" } }

    /// A derived table of the distinct keys of the parent rows, each with a number. Keys with different bytes are
    /// distinct, even if they are equal in the collation of the column, because they can belong to different parent
    /// rows.
    private var above: String {
        let columns = parentColumns.map(parent.compared)
        let selected = zip(columns, parentKeys).map { "\($0) AS \($1)" }
        // The text of a floating-point number has only some of its digits.
        let distinct = zip(columns, numbers).flatMap { column, number in
            dialect.distinctBytes(column, number == .single || number == .double)
        }
        let rows = selectParents(Self.list(selected + ["ROW_NUMBER() OVER () AS __row"]), columns)
        return "(\(rows) GROUP BY \(Self.list(distinct))) AS above"
    }

    /// Returns the statement that reads the parent rows with the keys of the arguments.
    private func selectParents(_ selected: String, _ columns: [String]) -> String {
        var parent = parent
        parent.conditions.append(isOneOfKeys(columns))
        return parent.select(selected)
    }

    /// The key columns of the statement that ``selectRelated(_:omitsResource:)`` returns. If equal keys have the same
    /// bytes, they are columns of the related rows; otherwise they are columns of ``above``.
    private var relatedKeys: [String] { comparesBytes ? source.keys : aboveKeys }

    /// Returns the statement that selects the related rows of the parent rows.
    private func selectRelated(_ selected: [String], omitsResource: Bool = false) -> String {
        var source = source
        guard !comparesBytes else {
            source.conditions.insert(isOneOfKeys(source.keys), at: 0)
            return source.select(Self.list(selected), omitsResource: omitsResource)
        }
        source.conditions.insert(contentsOf: zip(source.comparableKeys, aboveKeys).map { "\($0) = \($1)" }, at: 0)
        // MariaDB may add an index to the derived table. If the classes of the columns differ, it converts a value
        // before it searches the index and does not find all equal keys. It does not add an index to the first table.
        let join = bindsKeys ? "CROSS JOIN" : dialect.orderedJoin
        return source.select(Self.list(selected), from: "\(above) \(join) ", omitsResource: omitsResource)
    }

    /// The columns that group the rows by parent row.
    private var groups: [String] { comparesBytes ? source.keys : ["above.__row"] }

    // MARK: Statements

    /// Returns the statement that counts the related rows of each parent row.
    func count(_ arguments: Arguments) -> KeyedStatement {
        together(
            selectRelated(relatedKeys + ["COUNT(*)"], omitsResource: true) + " GROUP BY \(Self.list(groups))",
            arguments, relatedKeys)
    }

    /// Returns the statement that reads the aggregates of the related rows of each parent row.
    func aggregates(_ arguments: Arguments) -> KeyedStatement {
        together(
            selectRelated(relatedKeys + [columns.sql]) + " GROUP BY \(Self.list(groups))", arguments, relatedKeys)
    }

    func all(_ order: [String], _ arguments: Arguments) -> KeyedStatement {
        together(
            selectRelated(relatedKeys + [columns.sql]) + " ORDER BY " + Self.list(groups + order), arguments,
            relatedKeys)
    }

    func numbered(_ order: [String], _ arguments: Arguments) -> KeyedStatement {
        let number = "ROW_NUMBER() OVER (PARTITION BY \(Self.list(groups))\(Self.order(order))) AS __place"
        let group = comparesBytes ? [] : ["above.__row AS __row"]
        let numbered = selectRelated(
            zip(relatedKeys, parentKeys).map { "\($0) AS \($1)" } + [columns.sql] + group + [number])
        return together(
            "SELECT \(Self.list(parentKeys + [columns.labels])) FROM (\(numbered)) AS numbered WHERE __place <= :_limit"
                + " ORDER BY \(Self.list((comparesBytes ? parentKeys : ["__row"]) + ["__place"]))",
            arguments, parentKeys)
    }

    /// True if the rows of ``forEachKey(_:_:)`` contain the index of the parent row's key instead of the key. The index
    /// is necessary if a key in a related row can be equal to the parent row's key although its bytes are different.
    var numbersKeys: Bool { !comparesBytes }

    func forEachKey(_ order: [String], _ arguments: Arguments) -> KeyedStatement {
        var source = source
        source.conditions.insert(contentsOf: zip(source.comparableKeys, parameters).map { "\($0) = \($1)" }, at: 0)
        let group = numbersKeys ? keys.map { _ in ":\(KeyedStatement.rowParameter)" } : source.keys
        return keyed(
            source.select(Self.list(group + [columns.sql])) + "\(Self.order(order)) LIMIT :_limit", arguments,
            numbersKeys ? .repeatedWithPositions(parameters: keys) : .repeated(parameters: keys), group)
    }

    /// Returns a statement for the rows that match a key in a VALUES clause; see `KeyedStatement.KeyAccess.listed`.
    /// Each row contains the index of its key.
    func listed(_ order: [String], _ arguments: Arguments) -> KeyedStatement {
        var source = source
        let above = keys.indices.map { "above.column\($0 + 2)" }
        let index = "above.column1"
        let keyColumns = keys.map { _ in index }
        source.conditions.insert(contentsOf: zip(source.comparableKeys, above).map { "\($0) = \($1)" }, at: 0)
        let sql = source.select(
            Self.list(keyColumns + [columns.sql]), from: "(VALUES \(KeyedStatement.keyList)) AS above CROSS JOIN ")
        return keyed(sql + " ORDER BY \(Self.list([index] + order))", arguments, .listed, keyColumns)
    }

    /// Returns a statement with a correlated subquery.
    /// - Parameters:
    ///   - found: The tables of the relation, which the subquery reads.
    ///   - order: The order, as columns of these tables.
    ///   - shownOrder: The same order, as columns of the target's table, which the outer statement reads.
    func correlated(
        _ found: RowSource, _ order: [String], _ shownOrder: [String], _ arguments: Arguments
    ) -> KeyedStatement {
        var (found, shown) = (found, source)
        let names = parentColumns.map(SQLIdentifier.quoted)
        let aboveKeys = comparesBytes ? names.map { "above.\($0)" } : aboveKeys
        var above: String {
            guard comparesBytes else { return self.above }
            let columns = parentColumns.map(parent.compared)
            let distinct = "DISTINCT " + Self.list(zip(columns, names).map { "\($0) AS \($1)" })
            return "(\(selectParents(distinct, columns))) AS above"
        }
        found.conditions.insert(contentsOf: zip(found.comparableKeys, aboveKeys).map { "\($0) = \($1)" }, at: 0)
        let key = source.resource.keyFields.map(\.column)
        let keyOfFound = key.map { found.column($0) }
        let subquery =
            found.select(Self.list(keyOfFound), omitsResource: true) + "\(Self.order(order)) LIMIT :_limit"
        let keyOfShown = key.map(shown.compared)
        shown.conditions.append(
            "\(keyOfShown.count == 1 ? keyOfShown[0] : "(\(Self.list(keyOfShown)))") IN (\(subquery))")
        return together(
            shown.select(Self.list(aboveKeys + [columns.sql]), from: "\(above) CROSS JOIN ")
                + " ORDER BY \(Self.list((comparesBytes ? aboveKeys : ["above.__row"]) + shownOrder))",
            arguments, aboveKeys)
    }
}
