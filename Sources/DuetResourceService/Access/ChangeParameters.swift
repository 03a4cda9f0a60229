import DuetSQLDatabase

/// The names of the parameters that changes and their representations need: those of the conditions and rules of all
/// resources that they read or change. The list can contain more names than the transaction uses, for example if it is
/// not known whether a row exists.
struct ChangeParameters {
    private let catalogue: Catalogue
    private(set) var names: Set<String> = []
    /// The tables whose rows the database removes (true) or changes (false) itself.
    private var followed: Set<Followed> = []

    private struct Followed: Hashable {
        let table: String
        let isRemoval: Bool
    }

    init(_ catalogue: Catalogue) {
        self.catalogue = catalogue
    }

    mutating func add(_ change: Change) {
        guard let resource = catalogue[change.resource] else { return }
        let isLink = change.link != nil && change.kind == .upsert
        let kinds: [Change.Kind] = isLink ? [.insert] : change.kind == .replace ? [.insert, .update] : [change.kind]
        for kind in kinds {
            names.formUnion(resource.parameters(of: kind))
        }
        if let parent = change.parent { add(condition(of: parent.resource)) }
        if let link = change.link, let owner = catalogue[link.resource] {
            add(owner.condition)
            add(owner.declaredRelation(link.relation).flatMap { condition(of: $0.target) })
        }
        add(question: .list(resource: resource.name, Window(filter: change.condition)), .list(.array(Selection([]))))
        for row in change.rows { addReferences(of: row, resource) }
        follow(change, resource)
        for related in change.related.flatMap(\.self) {
            add(resource.declaredRelation(related.relation).flatMap { condition(of: $0.target) })
            if case .perform(let inner) = related.action { add(inner) }
        }
        for representation in change.representations {
            switch representation {
            case .row(let selection): add(question: .item(resource: resource.name, key: []), .item(selection))
            case .question(let question): add(question)
            }
        }
    }

    private func condition(of resource: String) -> Filter? { catalogue[resource]?.condition }

    private mutating func add(_ condition: Filter?) { names.formUnion(condition?.parameters ?? []) }

    private mutating func add(question subject: Question.Subject, _ form: Question.Form) {
        add(Question(subject, form))
    }

    private mutating func add(_ question: Question) {
        var parts = QuestionParts(catalogue)
        parts.add(question)
        for part in parts.parts { add(condition(of: part.resource)) }
    }

    /// Adds the conditions of the rows to which a new or changed row refers.
    private mutating func addReferences(of row: RowValues, _ resource: Resource) {
        func isGiven(_ column: String) -> Bool {
            resource.storedField(ofColumn: column).flatMap { row[$0.name] }.map { $0 != .null } ?? false
        }
        for reference in catalogue.constraints[resource.table].references
        where reference.columns.contains(where: isGiven) {
            for target in catalogue.resources(ofTable: reference.parent) { add(target.condition) }
        }
        for relation in resource.relations + resource.concealed.relations {
            guard case .one = relation.size, relation.joins.isEmpty,
                relation.columns.contains(where: { isGiven($0.from) })
            else { continue }
            add(condition(of: relation.target))
        }
    }

    // MARK: Changes of the database itself

    /// Adds the rules for the rows that the database removes or changes, because foreign keys refer to changed rows.
    private mutating func follow(_ change: Change, _ resource: Resource) {
        switch change.kind {
        case .delete: follow(resource.table, isRemoval: true, changed: nil)
        case .update, .replace:
            let fields =
                change.rows.flatMap(\.names) + change.defaults.map(\.field)
                + (resource.writes.update?.set.keys.sorted() ?? [])
            let columns = fields.compactMap { resource.declaredField($0)?.column.lowercased() }
            follow(resource.table, isRemoval: false, changed: Set(columns))
        case .insert, .upsert: break
        }
    }

    /// - Parameter changed: The changed columns in lower case; nil for all columns.
    private mutating func follow(_ table: String, isRemoval: Bool, changed: Set<String>?) {
        for reference in catalogue.constraints.references(to: table) {
            if let changed, changed.isDisjoint(with: reference.parentColumns.map { $0.lowercased() }) { continue }
            let action = isRemoval ? reference.onDelete : reference.onUpdate
            guard action.changesRows else { continue }
            let removes = isRemoval && action == .cascade
            guard followed.insert(Followed(table: reference.table, isRemoval: removes)).inserted else { continue }
            for resource in catalogue.resources(ofTable: reference.table) {
                names.formUnion(resource.parameters(of: removes ? .delete : .update))
            }
            follow(
                reference.table, isRemoval: removes,
                changed: removes ? nil : Set(reference.columns.map { $0.lowercased() }))
        }
    }
}
