/// The resources that a question reads, with the fields and relations that it names.
struct QuestionParts {
    /// The part of a question that concerns one resource.
    struct Part {
        let resource: String
        /// The names of fields in the selection, in filters and in orders.
        var fields: [String] = []
        /// The names of relations in the selection and in filters.
        var relations: [String] = []
    }

    private let catalogue: Catalogue
    /// The parts, in the order in which the question names the resources.
    private(set) var parts: [Part] = []

    init(_ catalogue: Catalogue) {
        self.catalogue = catalogue
    }

    mutating func add(_ question: Question) {
        switch question.subject {
        case .item(let name, _, let condition):
            guard let resource = catalogue[name] else { return }
            addKey(of: resource)
            add(condition, resource)
            add(question.form, resource)
        case .list(let name, let window):
            guard let resource = catalogue[name] else { return }
            touch(resource)
            add(window, resource)
            add(question.form, resource)
        case .related(let name, _, let relation, let window):
            guard let resource = catalogue[name] else { return }
            addKey(of: resource)
            guard let target = add(relation, of: resource) else { return }
            add(window, target)
            add(question.form, target)
        case .relatedItem(let name, _, let relation, let filter):
            guard let resource = catalogue[name] else { return }
            addKey(of: resource)
            guard let target = add(relation, of: resource) else { return }
            add(filter, target)
            add(question.form, target)
        }
    }

    /// Adds a resource that the request names by its path only.
    mutating func touch(_ resource: Resource) { _ = index(of: resource) }

    /// Adds the fields of the key, which the path contains.
    mutating func addKey(of resource: Resource) {
        touch(resource)
        for field in resource.keyFields { add(field, resource) }
    }

    /// Adds a relation with its intermediate tables and its target, which the function returns.
    @discardableResult
    mutating func add(_ name: String, of resource: Resource) -> Resource? {
        let index = index(of: resource)
        if !parts[index].relations.contains(name) { parts[index].relations.append(name) }
        guard let relation = resource.declaredRelation(name) else { return nil }
        for join in relation.joins { if let joined = catalogue.resource(of: join) { touch(joined) } }
        guard let target = catalogue[relation.target] else { return nil }
        touch(target)
        return target
    }

    private mutating func index(of resource: Resource) -> Int {
        if let index = parts.firstIndex(where: { $0.resource == resource.name }) { return index }
        parts.append(Part(resource: resource.name))
        return parts.count - 1
    }

    private mutating func add(_ field: Field, _ resource: Resource) {
        let index = index(of: resource)
        guard !parts[index].fields.contains(field.name) else { return }
        parts[index].fields.append(field.name)
        // The column belongs to the target of a relation.
        guard let target = field.relation.flatMap({ add($0, of: resource) }) else { return }
        if let origin = target.fields.first(where: { $0.column == field.column && $0.relation == nil }) {
            add(origin, target)
        }
    }

    private mutating func add(_ name: String, fieldOf resource: Resource) {
        if let field = resource.declaredField(name) { add(field, resource) }
    }

    private mutating func add(_ window: Window, _ resource: Resource) {
        add(window.filter, resource)
        for term in window.order {
            switch term.value {
            case .field(let name): add(name, fieldOf: resource)
            case .aggregate(let aggregate, let relation):
                guard let target = add(relation, of: resource) else { continue }
                if let name = aggregate.field { add(name, fieldOf: target) }
            }
        }
    }

    private mutating func add(_ filter: Filter, _ resource: Resource) {
        switch filter {
        case .compare(let field, _, _), .isNull(let field, _): add(field, fieldOf: resource)
        case .all(let filters), .any(let filters): for filter in filters { add(filter, resource) }
        case .not(let filter): add(filter, resource)
        case .related(let name, _, let filter):
            if let target = add(name, of: resource) { add(filter, target) }
        case .aggregate(let name, let condition, let filter):
            guard let target = add(name, of: resource) else { return }
            for field in condition.aggregates.compactMap(\.field) { add(field, fieldOf: target) }
            add(filter, target)
        }
    }

    private mutating func add(_ form: Question.Form, _ resource: Resource) {
        switch form {
        case .item(let selection): add(selection, resource)
        case .list(let form): add(form, resource)
        case .groups(let aggregation, let form): add(aggregation, form, resource)
        }
    }

    private mutating func add(_ aggregation: Aggregation, _ form: GroupForm, _ resource: Resource) {
        touch(resource)
        for key in aggregation.keys {
            if let relation = key.relation {
                if let target = add(relation, of: resource) { add(key.field, fieldOf: target) }
            } else {
                add(key.field, fieldOf: resource)
            }
        }
        for field in aggregation.aggregatedFields(form) { add(field, fieldOf: resource) }
    }

    private mutating func add(_ form: ListForm, _ resource: Resource) {
        switch form {
        case .array(let selection): add(selection, resource)
        case .page(let members):
            for member in members {
                switch member {
                case .nodes(_, let selection): add(selection, resource)
                case .edges(_, let members):
                    for case .node(_, let selection) in members { add(selection, resource) }
                case .pageInfo, .totalCount, .constant: continue
                }
            }
        }
    }

    private mutating func add(_ selection: Selection, _ resource: Resource) {
        touch(resource)
        for member in selection.members {
            switch member {
            case .field(_, let name): add(name, fieldOf: resource)
            case .identifier: addKey(of: resource)
            case .entityTag: add(.usual(of: resource), resource)
            case .constant: continue
            case .item(_, let relation, let selection):
                if let target = add(relation, of: resource) { add(selection, target) }
            case .list(_, let relation, let window, let form):
                if let target = add(relation, of: resource) {
                    add(window, target)
                    add(form, target)
                }
            case .aggregate(_, let relation, let filter, let members):
                if let target = add(relation, of: resource) {
                    add(filter, target)
                    add(Aggregation(), .object(members), target)
                }
            }
        }
    }
}
