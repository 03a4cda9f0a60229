import DuetGraphQL
import DuetResultSetJSON
import DuetSQLDatabase

/// Creates the plans of questions. A plan has one statement for the requested row or list, and one statement for each
/// selected relation. Further statements check that a parent row exists, and count the rows of a list.
///
/// The SQL contains only names and constants of the catalogue. All values from clients are bound as arguments.
///
/// The planner is a class, because each source of a statement refers to it, and copies of a catalogue are expensive.
final class Planner: Sendable {
    let catalogue: Catalogue
    let dialect: Dialect

    init(catalogue: Catalogue, dialect: Dialect) {
        self.catalogue = catalogue
        self.dialect = dialect
    }

    /// Returns the plan of a question.
    /// - Throws: ``ServiceError`` for a cursor that does not belong to the list.
    func plan(_ question: Question) throws -> Plan {
        switch question.subject {
        case .item(let name, let key, let condition):
            let resource = try resource(name)
            return Plan(
                statement: try item(of: resource, try selection(question), where: condition),
                subject: Subject(resource, key))
        case .list(let name, let window):
            return try plan(question, RootList(resource: try resource(name), window: window))
        case .related(let name, let key, let relationName, let window):
            let resource = try resource(name)
            let relation = try resource.requiredRelation(relationName)
            let parent = Subject(resource, key)
            let list = RootList(
                resource: try catalogue.target(of: relation), window: window,
                parent: RootList.Parent(resource: resource, relation: relation, key: key))
            var plan = try plan(question, list)
            plan.existence = try existence(of: resource, parent)
            return plan
        case .relatedItem(let name, let key, let relationName, let filter):
            return try relatedItem(try resource(name), key, relationName, filter, try selection(question))
        }
    }

    private func selection(_ question: Question) throws -> Selection {
        guard case .item(let selection) = question.form else { throw CatalogueError("a single row has no list form") }
        return selection
    }

    private func plan(_ question: Question, _ list: RootList) throws -> Plan {
        switch question.form {
        case .item: throw CatalogueError("a list has no item form")
        case .list(let form): try plan(list, form, countsRows: question.countsRows)
        case .groups(let aggregation, let form):
            try plan(list, aggregation, form, countsGroups: question.countsRows)
        }
    }

    func resource(_ name: String) throws -> Resource { try catalogue.required(name) }

    // MARK: Items

    /// Returns the statement that reads a row of a resource. The arguments of its key are bound by `Plan`.
    func item(
        of resource: Resource, _ selection: Selection, where condition: Filter = .everything
    ) throws -> Plan.Statement {
        var draft = try StatementDraft(resource, self)
        var summary = PlanSummary(resource, catalogue)
        let rows = try rows(
            selection, &draft, &summary, knownKey: Set(resource.keyFields.map(\.column)),
            named: resource.isEntity && resource.hasExactKey ? [resource.type] : [])
        draft.source.conditions += draft.source.isSubject
        try restrict(&draft.source, to: condition, &draft.scope)
        summary.depend(on: condition, of: resource)
        return Plan.Statement(draft.source.select(draft.columns.sql), rows, summary, draft.scope)
    }

    private func relatedItem(
        _ resource: Resource, _ key: [SQLValue], _ name: String, _ filter: Filter, _ selection: Selection
    ) throws -> Plan {
        let relation = try resource.requiredRelation(name)
        let target = try catalogue.target(of: relation)
        let parent = Subject(resource, key)
        // The statement is the same as for the list of the rows that match the filter.
        let list = RootList(
            resource: target, window: Window(filter: filter),
            parent: RootList.Parent(resource: resource, relation: relation, key: key))
        var plan = try plan(list, .array(selection), countsRows: false)
        plan.existence = try existence(of: resource, parent)
        plan.form = .item(Subject(target, of: parent, with: values(in: filter)))
        return plan
    }

    /// Returns the fields that have one fixed value in each row that matches the filter, with their values.
    private func values(in filter: Filter) -> [(field: String, value: SQLValue)] {
        switch filter {
        case .all(let filters): filters.flatMap(values)
        case .compare(let field, .equal, let operands): operands.first?.value.map { [(field, $0)] } ?? []
        default: []
        }
    }

    /// Returns the statement that checks whether a row exists. It reads the key if the stored key can differ from the
    /// key in the request.
    func existence(of resource: Resource, _ subject: Subject) throws -> Plan.Existence {
        var scope = StatementScope()
        var source = try RowSource(resource, self, &scope)
        source.conditions = source.isSubject
        let columns = resource.hasExactKey ? ["1"] : resource.keyFields.map { source.table.column($0.column) }
        return Plan.Existence(
            sql: source.select(columns.joined(separator: ", ")), arguments: subject.arguments(adding: scope.arguments),
            parameters: scope.parameters, tables: scope.tables, subject: subject,
            storedType: resource.isEntity && !resource.hasExactKey ? resource.type : nil)
    }
}

/// The resources and parameters on which a plan depends, the cache policy of its response, and estimates of the numbers
/// of rows. The planner collects this information during planning.
struct PlanSummary {
    private(set) var cachePolicy = CachePolicy.unrestricted
    private var types: [String] = []
    /// An estimate of the number of nested rows below one top-level row.
    private(set) var rowsBelow = 0
    /// An estimate of the number of parent rows of the current list.
    private var rowsAbove = 1

    /// Adds a nested list to the estimates, and plans its rows.
    /// - Parameter size: The expected number of rows of the list per parent row.
    mutating func descend<Value>(_ size: Int, _ plan: (inout PlanSummary) throws -> Value) rethrows -> Value {
        let above = rowsAbove
        defer { rowsAbove = above }
        rowsAbove = min(above * min(size, 1 << 30), 1 << 30)
        rowsBelow += rowsAbove
        return try plan(&self)
    }

    private let catalogue: Catalogue
    /// ``Resource/maximumScan`` of the resource of the top-level rows.
    let maximumScan: Int?
    /// The parameters whose arguments are bound when the plan is executed.
    private(set) var parameters: [PlanParameter] = []

    /// Creates a summary.
    /// - Parameter resource: The resource of the top-level rows.
    init(_ resource: Resource, _ catalogue: Catalogue) {
        self.catalogue = catalogue
        maximumScan = resource.maximumScan
        show(resource)
    }

    /// The names of the tables that the statements read.
    private(set) var tables: Set<String> = []

    /// Adds the parameters and the tables of a statement.
    mutating func add(_ scope: StatementScope) {
        tables.formUnion(scope.tables)
        for parameter in scope.parameters where !parameters.contains(parameter) { parameters.append(parameter) }
    }

    /// Adds a resource whose rows the response contains.
    /// - Parameter relation: The relation that leads to the rows; nil for top-level rows.
    mutating func show(_ resource: Resource, through relation: Relation? = nil) {
        cachePolicy.restrict(resource.cachePolicy)
        // An excluded row has no cache tag. A change of the row can add it to the answer, so the answer depends on all
        // rows of the resource.
        if !resource.condition.isEverything || resource.entities.first?.fields.isEmpty == true { depend(on: resource) }
        if let relation { depend(on: relation) }
    }

    /// Adds a resource whose rows determine which rows the response contains.
    mutating func depend(on resource: Resource, _ visibility: RowSource.Visibility = .conditional) {
        if let type = resource.entities.first?.type, !types.contains(type) { types.append(type) }
        if visibility == .conditional { depend(on: resource.condition, of: resource, .all) }
    }

    /// Adds the resources of the relation's intermediate tables, if they have conditions.
    private mutating func depend(on relation: Relation) {
        for join in relation.joins {
            guard let resource = catalogue.resource(of: join), !resource.condition.isEverything else { continue }
            depend(on: resource)
        }
    }

    /// Adds the resources of the relation's intermediate tables, whose rows determine a value in the response.
    mutating func depend(
        onTablesOf relation: Relation, _ visibility: RowSource.Visibility = .conditional
    ) {
        for join in relation.joins { if let joined = catalogue.resource(of: join) { depend(on: joined, visibility) } }
    }

    /// The types whose entities determine which rows the response contains, as indices of ``Catalogue/entityTypes``.
    var kinds: [Int] { types.compactMap(catalogue.entityKind) }

    /// Adds the target of the field's to-one relation, because its table has the column. The function does nothing for
    /// a field of the resource's own table.
    /// - Parameter isShown: True if the response contains the field. In this case, the function does not add the target
    ///   if the row of the target is one of the row's entities (``Resource/entities``), because the answer then has the
    ///   name of this entity.
    mutating func depend(
        on field: Field, of resource: Resource, isShown: Bool = false,
        _ visibility: RowSource.Visibility = .conditional
    ) {
        guard let name = field.relation, let target = resource.declaredRelation(name).flatMap({ catalogue[$0.target] })
        else {
            return
        }
        if isShown, target.condition.isEverything,
            resource.entities.contains(where: { $0.type == target.entities.first?.type })
        {
            return
        }
        depend(on: target, visibility)
    }

    /// Adds the resources whose columns occur in aggregates, except the resource of the rows.
    mutating func depend(onAggregates fields: [String], of resource: Resource) {
        for name in fields { if let field = resource.field(name) { depend(on: field, of: resource) } }
    }

    /// Adds the resources whose columns occur in the order of a list, except the resource of the list.
    mutating func depend(on order: [OrderColumn], of resource: Resource) {
        for column in order {
            guard let related = column.related else {
                depend(on: column.field, of: resource)
                continue
            }
            depend(onAggregatesOf: related.relation, [related.aggregate], of: resource)
        }
    }

    /// Adds the resources that a filter reads.
    mutating func depend(
        on filter: Filter, of resource: Resource, _ visibility: RowSource.Visibility = .conditional
    ) {
        switch filter {
        case .compare(let field, _, let operands):
            // A shared cache would send the answer to other callers, for whom the parameter has another value.
            if operands.contains(where: { $0.value == nil }) { cachePolicy.restrict(CachePolicy(scope: .private)) }
            if let field = resource.declaredField(field) { depend(on: field, of: resource, visibility) }
        case .isNull(let field, _):
            if let field = resource.declaredField(field) { depend(on: field, of: resource, visibility) }
        case .all(let filters), .any(let filters):
            for filter in filters { depend(on: filter, of: resource, visibility) }
        case .not(let filter): depend(on: filter, of: resource, visibility)
        case .related(let name, _, let filter):
            guard let relation = resource.declaredRelation(name), let target = catalogue[relation.target] else {
                return
            }
            depend(on: target, visibility)
            if visibility == .conditional { depend(on: relation) }
            depend(on: filter, of: target, visibility)
        case .aggregate(let name, let condition, let filter):
            depend(onAggregatesOf: name, condition.aggregates, of: resource, visibility)
            if let target = resource.declaredRelation(name).flatMap({ catalogue[$0.target] }) {
                depend(on: filter, of: target, visibility)
            }
        }
    }

    /// Adds the resources that aggregates of related rows read.
    private mutating func depend(
        onAggregatesOf name: String, _ aggregates: [Aggregate], of resource: Resource,
        _ visibility: RowSource.Visibility = .conditional
    ) {
        guard let relation = resource.declaredRelation(name), let target = catalogue[relation.target] else { return }
        depend(on: target, visibility)
        depend(onTablesOf: relation, visibility)
        for field in aggregates.compactMap(\.field).compactMap(target.declaredField) {
            depend(on: field, of: target, visibility)
        }
    }
}
