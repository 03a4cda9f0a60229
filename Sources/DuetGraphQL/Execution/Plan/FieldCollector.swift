/// CollectFields (specification, section 6.3.2): which fields are selected from an object of one type, grouped by response key.
struct FieldCollector {
    /// A field where it stands, and the `@defer` it stands in.
    struct Node {
        let field: Field
        let usage: DeferUsage?
    }

    private(set) var groups: [(key: String, nodes: [Node])] = []
    private var places: [String: Int] = [:]
    private var visited: Set<String> = []
    private let planner: Planner
    private let type: ObjectType
    private let scope: PlanScope

    /// A selection set that is not finished, and where to go on.
    private struct Open {
        let selections: NodeList<Selection>
        var next: Int
        let usage: DeferUsage?
    }

    init(planner: Planner, type: ObjectType, scope: PlanScope) {
        self.planner = planner
        self.scope = scope
        self.type = type
    }

    mutating func collect(
        _ selectionSet: SelectionSet, usage: DeferUsage?, budget: inout PlanLimits
    ) throws(GraphQLError) {
        // No recursion: fragments can lead to one another thousands of times.
        var open = [Open(selections: selectionSet.selections, next: 0, usage: usage)]
        while let last = open.indices.last {
            guard open[last].next < open[last].selections.count else {
                open.removeLast()
                continue
            }
            let selection = open[last].selections[open[last].next]
            let usage = open[last].usage
            open[last].next += 1
            budget.selections -= 1
            guard budget.selections >= 0 else { throw planner.tooLarge }
            guard try planner.conditions.includes(selection.directives) else { continue }
            switch selection {
            case .field(let field): add(Node(field: field, usage: usage))
            case .inlineFragment(let fragment):
                guard applies(fragment.typeCondition) else { continue }
                open.append(
                    Open(
                        selections: fragment.selectionSet.selections, next: 0,
                        usage: try self.usage(fragment.directives, in: usage)))
            case .fragmentSpread(let spread):
                let inner = try self.usage(spread.directives, in: usage)
                if inner === usage, visited.contains(spread.name.value) { continue }
                guard let fragment = planner.fragments[spread.name.value], applies(fragment.typeCondition) else {
                    continue
                }
                if inner === usage { visited.insert(spread.name.value) }
                open.append(Open(selections: fragment.selectionSet.selections, next: 0, usage: inner))
            }
        }
    }

    private func usage(_ directives: NodeList<Directive>, in usage: DeferUsage?) throws(GraphQLError) -> DeferUsage? {
        guard scope.delivers, !directives.isEmpty else { return usage }
        return try planner.conditions.deferUsage(directives, in: usage, at: scope.place)
    }

    private mutating func add(_ node: Node) {
        let key = node.field.responseKey
        if let place = places[key] {
            groups[place].nodes.append(node)
        } else {
            places[key] = groups.count
            groups.append((key, [node]))
        }
    }

    /// DoesFragmentTypeApply.
    private func applies(_ condition: Name?) -> Bool {
        guard let condition = condition?.value, condition != type.name else { return true }
        guard let abstract = planner.schema.schema.type(named: condition), abstract.isAbstract else { return false }
        return planner.schema.schema.isSubtype(.object(type), of: abstract)
    }
}
