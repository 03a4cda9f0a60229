import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// The mapping of a statement's rows to the response.
struct PlannedRows {
    /// The members of each row's object; empty for a page, whose rows have several shapes.
    var members: [ObjectShape.Member] = []
    /// The members of a page object.
    var page: [PageShape.Member] = []
    /// The queries that are attached to the rows: one array for each shape of the rows. Only a page has several shapes
    /// (`nodes` and `edges`).
    var attachments: [[Attachment]] = [[]]
    var entities: [KeyColumns] = []
    /// The name of the resource of the rows.
    let source: String

    init(of resource: Resource) { source = resource.name }

    mutating func add(_ entity: KeyColumns) { if !entities.contains(entity) { entities.append(entity) } }
}

extension Planner {
    /// Plans the rows of a list.
    /// - Parameters:
    ///   - draft: The draft of the statement. The required columns are added to it.
    ///   - order: The columns whose values form a cursor.
    ///   - context: The context of the list's cursors; see ``Cursor``.
    ///   - isContinued: True if the page begins after a cursor.
    ///   - named: The types of the entities whose names are already recorded for the parent row or the ``Subject``.
    func rows(
        _ form: ListForm, _ draft: inout StatementDraft, _ summary: inout PlanSummary, order: [OrderColumn],
        context: String, isContinued: Bool, named: Set<String>
    ) throws -> PlannedRows {
        switch form {
        case .array(let selection): return try rows(selection, &draft, &summary, named: named)
        case .page(let members):
            var page = PlannedRows(of: draft.source.resource)
            page.attachments = []
            for member in members {
                try add(
                    member, to: &page, &draft, &summary, order: order, context: context, isContinued: isContinued,
                    named: named)
            }
            return page
        }
    }

    /// Plans the rows of a selection.
    /// - Parameter knownKey: The columns whose values are known from the request. If a relation joins on these columns,
    ///   the statement usually does not need to read them.
    func rows(
        _ selection: Selection, _ draft: inout StatementDraft, _ summary: inout PlanSummary,
        knownKey: Set<String> = [], named: Set<String>
    ) throws -> PlannedRows {
        let resource = draft.source.resource
        var rows = PlannedRows(of: resource)
        for member in selection.members {
            switch member {
            case .field(let name, let fieldName):
                let field = try resource.requiredField(fieldName)
                summary.depend(on: field, of: resource, isShown: true)
                rows.members.append(
                    .column(
                        name: name, .index(try draft.position(of: field)), field.format, choices: field.choices))
            case .identifier(let name):
                guard resource.key.count == 1, let field = resource.keyFields.first else {
                    throw CatalogueError("\(resource.name) has no key of one field")
                }
                rows.members.append(
                    .column(name: name, .index(try draft.position(of: field)), field.identifierFormat))
            case .entityTag(let name):
                rows.members.append(
                    .digest(
                        name: name, of: try self.rows(.usual(of: resource), &draft, &summary, named: named).members
                    ) { BodyDigest(of: $0).masked($1.digestMask).entityTag })
            case .constant(let name, let json): rows.members.append(.constant(name: name, json: json))
            case .item(let name, let relationName, let selection):
                let relation = try resource.requiredRelation(relationName)
                let keys = try keys(of: relation, &draft, knownKey)
                rows.attachments[0].append(try item(name, relation, of: resource, selection, keys: keys, &summary))
                rows.members.append(.attachment)
            case .list(let name, let relationName, let window, let form):
                let relation = try resource.requiredRelation(relationName)
                let keys = try keys(of: relation, &draft, knownKey)
                rows.attachments[0].append(
                    try list(name, relation, of: resource, window, form, keys: keys, &summary))
                rows.members.append(.attachment)
            case .aggregate(let name, let relationName, let filter, let members):
                let relation = try resource.requiredRelation(relationName)
                let keys = try keys(of: relation, &draft, knownKey)
                rows.attachments[0].append(
                    try aggregate(name, relation, of: resource, filter, members, keys: keys, &summary))
                rows.members.append(.attachment)
            }
        }
        for entity in resource.entities where !named.contains(entity.type) && !entity.fields.isEmpty {
            guard let kind = catalogue.entityKind(entity.type) else { continue }
            let fields = try entity.fields.map { try resource.requiredField($0) }
            let positions = try fields.map { try draft.position(of: $0) }
            let encoded = zip(fields, positions).filter(\.0.isStoredAsBytes).map(\.1)
            rows.add(KeyColumns(kind: kind, columns: positions, encodedTexts: Set(encoded)))
        }
        return rows
    }

    /// Returns the labels of the parent columns of a relation. If the request does not determine the values of these
    /// columns, the function adds the columns to the statement.
    private func keys(
        of relation: Relation, _ draft: inout StatementDraft, _ knownKey: Set<String>
    ) throws -> [String] {
        let resource = draft.source.resource
        // The text of the key in the request can differ from the stored value.
        let isKnown =
            catalogue.equality(of: relation, resource) == .bytes
            && relation.parentColumns.allSatisfy {
                knownKey.contains($0) && resource.ownField(ofColumn: $0)?.type.hasOneSpelling == true
            }
        return try relation.parentColumns.map { column in
            if let field = resource.ownField(ofColumn: column), isKnown || !knownKey.contains(column) {
                if !isKnown { _ = try draft.position(of: field) }
                return field.name
            }
            let label = SQLName.hidden(column)
            _ = draft.columns.position(of: draft.source.column(column), label: label)
            return label
        }
    }

    // MARK: Pages

    private func add(
        _ member: PageMember, to page: inout PlannedRows, _ draft: inout StatementDraft, _ summary: inout PlanSummary,
        order: [OrderColumn], context: String, isContinued: Bool, named: Set<String>
    ) throws {
        switch member {
        case .nodes(let name, let selection):
            let rows = try rows(selection, &draft, &summary, named: named)
            for entity in rows.entities { page.add(entity) }
            page.page.append(.rows(name: name, ObjectShape(rows.members, of: draft.source.resource.name)))
            page.attachments += rows.attachments
        case .edges(let name, let members):
            var edge: [ObjectShape.Member] = []
            var attachments: [Attachment] = []
            for member in members {
                switch member {
                case .node(let name, let selection):
                    let rows = try rows(selection, &draft, &summary, named: named)
                    for entity in rows.entities { page.add(entity) }
                    edge.append(.object(name: name, rows.members))
                    attachments += rows.attachments[0]
                case .cursor(let name):
                    edge.append(
                        .computed(name: name, columns: draft.positions(of: order).map { .index($0) }) {
                            Cursor(values: $0).encoded(context: context, order: order)
                        })
                case .constant(let name, let json): edge.append(.constant(name: name, json: json))
                }
            }
            page.page.append(.rows(name: name, ObjectShape(edge, of: draft.source.resource.name)))
            page.attachments.append(attachments)
        case .pageInfo(let name, let members):
            if members.contains(where: \.isCursor) { _ = draft.positions(of: order) }
            page.page.append(
                .object(
                    name: name, members.map { $0.shape(isContinued: isContinued, hasCursors: !order.isEmpty) }))
        case .totalCount(let name): page.page.append(.totalCount(name: name))
        case .constant(let name, let json): page.page.append(.constant(name: name, json: json))
        }
    }

    // MARK: Order

    /// Returns the order of a list: the requested order (or the catalogue's order if none is requested), followed by
    /// the key. The key makes the order unique. After a requested order, the key has the direction of the last
    /// requested value. After the catalogue's order, the key is ascending.
    /// - Parameter parentKey: The columns that have the same value in all rows. The order omits them.
    func order(
        _ requested: [RowOrder], catalogue order: [SortField], _ draft: inout StatementDraft,
        parentKey: Set<String> = []
    ) throws -> [OrderColumn] {
        let resource = draft.source.resource
        var terms: [RowOrder] = []
        for term in requested.isEmpty ? order.map(RowOrder.init) : requested { terms.add(term) }
        let descending = requested.last?.descending ?? false
        for name in resource.key { terms.add(RowOrder(.field(name), descending: descending)) }
        let fields = try terms.compactMap(\.field).map { try resource.requiredField($0) }
        // On SQLite, a cursor with the digest of a long value needs the whole key; see ``Cursor/Position``.
        let needsKey = dialect.ordersLongTexts && fields.contains(where: \.type.isLong)
        func isOmitted(_ field: Field) -> Bool {
            !needsKey && field.relation == nil && parentKey.contains(field.column)
        }
        let limit = lengthLimit(in: fields.filter { !isOmitted($0) }, of: resource)
        var columns: [OrderColumn] = []
        var names: Set<String> = []
        for term in terms {
            switch term.value {
            case .aggregate(let aggregate, let relation):
                columns.append(try orderColumn(aggregate, of: relation, descending: term.descending, &draft))
            case .field(let name):
                let field = try resource.requiredField(name)
                guard !isOmitted(field) else { continue }
                columns += try orderColumns(of: field, descending: term.descending, limit: limit, &draft)
                names.insert(name)
            }
            // Columns that follow all key columns cannot change the order.
            if resource.hasKey, names.isSuperset(of: resource.key) { break }
        }
        return columns
    }

    /// The maximum total length of the texts in a cursor. A character has up to eight bytes in the text of a cursor, so
    /// that a cursor has at most 8 KiB.
    private static let cursorLength = 900

    /// The maximum length of a text that is compared as a whole. MariaDB sorts texts of this length completely; see
    /// `MariaDBSession`.
    private static let comparedLength = 255

    /// Returns the length from which the value of a field is represented by its beginning and its digest.
    private func lengthLimit(in fields: [Field], of resource: Resource) -> Int {
        let texts = fields.count { length(of: $0, resource) != nil }
        return texts == 0 ? Self.comparedLength : min(Self.comparedLength, max(1, Self.cursorLength / texts))
    }

    /// Returns the maximum length of a field's values; nil if they are short.
    private func length(of field: Field, _ resource: Resource) -> Int? {
        catalogue.columnLengths.length(field.column, of: catalogue.table(of: field, resource))
    }

    private func orderColumns(
        of field: Field, descending: Bool, limit: Int, _ draft: inout StatementDraft
    ) throws -> [OrderColumn] {
        let resource = draft.source.resource
        let expression = try orderExpression(of: field, &draft)
        func column(
            _ label: String, _ sql: String, _ type: FieldType, _ collation: NarrowCollation?
        ) -> OrderColumn {
            OrderColumn(
                label: label, expression: sql, field: field, type: type, descending: descending,
                isNull: isNull(expression, field), narrowCollation: collation,
                permitsDigest: dialect.ordersLongTexts && type.permitsDigest)
        }
        let collation = catalogue.narrowCollation(of: field, resource)
        guard !dialect.ordersLongTexts, let length = length(of: field, resource), length > limit else {
            // The labels begin with two underscores, because names of fields can begin with one.
            let label = field.type.isComparedInUTC ? "__utc_\(field.name)" : field.name
            return [column(label, expression, field.type, collation)]
        }
        return [
            column("__start_\(field.name)", "LEFT(\(expression), \(limit))", field.type, collation),
            column("__digest_\(field.name)", "SHA1(\(expression))", .text(maximumLength: 40), nil),
        ]
    }

    /// Returns the condition that an order column is NULL. In MariaDB, `IS NULL` is also true for a zero date in a NOT
    /// NULL column (mariadb.com/kb/en/is-null), but `ORDER BY` does not treat a zero date as NULL. Therefore the
    /// condition uses `<=>`.
    func isNull(_ expression: String, _ field: Field) -> String {
        switch field.type {
        case .date where dialect.hasZeroDates, .dateTime where dialect.hasZeroDates: "\(expression) <=> NULL"
        default: "\(expression) IS NULL"
        }
    }

    /// Returns the expression for a field in `ORDER BY` and in the condition that selects the rows after a cursor.
    /// MariaDB sorts an `ENUM` or `SET` column by the index of each value, but compares the column with a text by the
    /// text of the value. `CONCAT` converts the column to a text, so that both use the text.
    func orderExpression(of field: Field, _ draft: inout StatementDraft) throws -> String {
        let expression = try draft.expression(of: field)
        guard dialect.ordersChoicesByIndex, !field.isStoredAsBytes else {
            return catalogue.compared(expression, field, of: draft.source.resource)
        }
        if case .choice = field.type { return "CONCAT(\(expression))" }
        return field.isOrdinal ? "CONCAT(\(expression))" : expression
    }
}

extension PageInfoMember {
    /// True if the value is a cursor.
    fileprivate var isCursor: Bool {
        switch self {
        case .startCursor, .endCursor: true
        case .hasNextPage, .hasPreviousPage, .constant: false
        }
    }

    /// Returns the member of the response.
    /// - Parameters:
    ///   - isContinued: True if the page begins after a cursor.
    ///   - hasCursors: False if the list has no order, so that it has no cursors.
    func shape(isContinued: Bool, hasCursors: Bool = true) -> PageShape.Member {
        switch self {
        case .hasNextPage(let name): .hasNextPage(name: name)
        case .hasPreviousPage(let name): .constant(name: name, json: "\(isContinued)")
        case .startCursor(let name): hasCursors ? .startCursor(name: name) : .constant(name: name, json: "null")
        case .endCursor(let name): hasCursors ? .endCursor(name: name) : .constant(name: name, json: "null")
        case .constant(let name, let json): .constant(name: name, json: json)
        }
    }
}

extension FieldType {
    /// True if a cursor can contain the digest of a value. SQLite does not enforce the maximum length of a text.
    fileprivate var permitsDigest: Bool {
        switch self {
        case .text, .binary, .json, .any: true
        default: false
        }
    }

    /// True if the description permits long texts or bytes.
    fileprivate var isLong: Bool {
        if case .text(let maximumLength?) = self { maximumLength > 255 } else { permitsDigest }
    }
}
