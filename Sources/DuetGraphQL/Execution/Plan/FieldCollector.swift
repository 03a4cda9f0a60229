/// Collects the selected fields of an object of one type, by response name (CollectFields; specification, section
/// 6.3.2).
struct FieldCollector {
    /// A selected field with the innermost enclosing `@defer`.
    struct FieldDetails {
        let field: Field
        let deferUsage: DeferUsage?
    }

    /// The fields by response name, in the order of the response.
    private(set) var fieldSets: [(responseName: String, details: [FieldDetails])] = []
    private var indexOfResponseName: [String: Int] = [:]
    private var visitedFragments: Set<String> = []
    private let planner: OperationPlanner
    private let type: ObjectType
    private let scope: PlanScope

    /// A selection set that is not completely visited.
    private struct OpenSelectionSet {
        let selections: NodeList<Selection>
        var next: Int
        let deferUsage: DeferUsage?
    }

    init(planner: OperationPlanner, type: ObjectType, scope: PlanScope) {
        self.planner = planner
        self.scope = scope
        self.type = type
    }

    mutating func collectFields(
        _ selectionSet: SelectionSet, deferUsage: DeferUsage?, budget: inout PlanLimits
    ) throws(GraphQLError) {
        // A stack replaces recursion, because fragments can be nested thousands of levels deep.
        var open = [OpenSelectionSet(selections: selectionSet.selections, next: 0, deferUsage: deferUsage)]
        while let last = open.indices.last {
            guard open[last].next < open[last].selections.count else {
                open.removeLast()
                continue
            }
            let selection = open[last].selections[open[last].next]
            let deferUsage = open[last].deferUsage
            open[last].next += 1
            budget.selections -= 1
            guard budget.selections >= 0 else { throw planner.tooLargeError }
            guard try planner.conditions.includes(selection.directives) else { continue }
            switch selection {
            case .field(let field): add(FieldDetails(field: field, deferUsage: deferUsage))
            case .inlineFragment(let fragment):
                guard doesFragmentTypeApply(fragment.typeCondition) else { continue }
                open.append(
                    OpenSelectionSet(
                        selections: fragment.selectionSet.selections, next: 0,
                        deferUsage: try self.deferUsage(fragment.directives, in: deferUsage)))
            case .fragmentSpread(let spread):
                let inner = try self.deferUsage(spread.directives, in: deferUsage)
                if inner === deferUsage, visitedFragments.contains(spread.name.value) { continue }
                guard let fragment = planner.fragments[spread.name.value],
                    doesFragmentTypeApply(fragment.typeCondition)
                else { continue }
                if inner === deferUsage { visitedFragments.insert(spread.name.value) }
                open.append(
                    OpenSelectionSet(selections: fragment.selectionSet.selections, next: 0, deferUsage: inner))
            }
        }
    }

    private func deferUsage(
        _ directives: NodeList<Directive>, in parent: DeferUsage?
    ) throws(GraphQLError) -> DeferUsage? {
        guard scope.deliversIncrementally, !directives.isEmpty else { return parent }
        return try planner.conditions.deferUsage(directives, in: parent, at: scope.planPosition)
    }

    private mutating func add(_ details: FieldDetails) {
        let responseName = details.field.responseName
        if let index = indexOfResponseName[responseName] {
            fieldSets[index].details.append(details)
        } else {
            indexOfResponseName[responseName] = fieldSets.count
            fieldSets.append((responseName, [details]))
        }
    }

    /// Returns true if a type condition applies to the object type (DoesFragmentTypeApply).
    private func doesFragmentTypeApply(_ condition: Name?) -> Bool {
        guard let condition = condition?.value, condition != type.name else { return true }
        guard let abstract = planner.schema.schema.type(named: condition), abstract.isAbstract else { return false }
        return planner.schema.schema.isSubtype(.object(type), of: abstract)
    }
}
