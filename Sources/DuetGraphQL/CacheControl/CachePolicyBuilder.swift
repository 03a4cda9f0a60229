/// Finds the policy of an operation: the restrictions of all fields that its response can have.
///
/// What restricts twice restricts no more than once. So selections are not merged as for a plan, and each fragment is looked at
/// once for each type that it is met in; what is selected from interfaces and unions need not be planned for all their types.
struct CachePolicyBuilder {
    private let planner: OperationPlanner
    private let control: CacheControl
    private var policy = CachePolicy.unrestricted
    /// No recursion: fragments can lead to one another thousands of times.
    private var open: [OpenSelectionSet] = []
    private var spread: Set<VisitedSpread> = []
    private var budget: Int

    /// Selections that are still to be looked at, and what they are selected from: all objects of the type.
    private struct OpenSelectionSet {
        let selections: NodeList<Selection>
        let type: NamedType
        let isRoot: Bool
    }

    private struct VisitedSpread: Hashable {
        let fragment: String
        let type: String
        let isRoot: Bool
    }

    /// - Parameters:
    ///   - root: the operation's plan.
    ///   - planner: what it was planned by, its conditions included.
    static func policy(
        of operation: OperationDefinition, _ root: PlannedSelection, plannedBy planner: OperationPlanner
    ) -> CachePolicy {
        var builder = CachePolicyBuilder(planner)
        guard builder.control.hasHints else {
            let isEmpty = root.fields.allSatisfy(\.isTypeName) && root.deferred.isEmpty
            return CachePolicy(maxAge: isEmpty ? 0 : builder.control.defaultMaxAge)
        }
        builder.open = [
            OpenSelectionSet(selections: operation.selectionSet.selections, type: .object(root.type), isRoot: true)
        ]
        while let open = builder.open.popLast() {
            guard builder.restrict(by: open) else { return CachePolicy(maxAge: 0) }
        }
        // Nothing says that it may be kept: there is `__typename` alone.
        if builder.policy.maxAge == .max { builder.policy.restrict(CachePolicy(maxAge: 0)) }
        return builder.policy
    }

    private init(_ planner: OperationPlanner) {
        self.planner = planner
        control = planner.schema.cacheControl
        budget = planner.schema.options.planLimits.selections
    }

    /// - Returns: false if the policy cannot be told: there is too much to look at, or a condition has no value, which is an error
    ///   of the response if it comes to that.
    private mutating func restrict(by open: OpenSelectionSet) -> Bool {
        budget -= open.selections.count
        guard budget >= 0 else { return false }
        let rules = control.rules(of: open.type)
        for selection in open.selections {
            guard let isIncluded = try? planner.conditions.includes(selection.directives) else { return false }
            guard isIncluded else { continue }
            switch selection {
            case .field(let field): restrict(by: field, rules, isRoot: open.isRoot)
            case .inlineFragment(let fragment):
                look(at: fragment.selectionSet, on: fragment.typeCondition?.value, in: open)
            case .fragmentSpread(let fragmentSpread):
                let name = fragmentSpread.name.value
                let key = VisitedSpread(fragment: name, type: open.type.name, isRoot: open.isRoot)
                guard let fragment = planner.fragments[name], spread.insert(key).inserted else { continue }
                look(at: fragment.selectionSet, on: fragment.typeCondition.value, in: open)
            }
        }
        return true
    }

    private mutating func restrict(by field: Field, _ rules: [String: CacheControl.Rule], isRoot: Bool) {
        let name = field.name.value
        guard let rule = rules[name] else {
            // `__schema` and `__type` lead to objects without a hint.
            if name.hasPrefix("__"), name != planner.schema.schema.typeNameField.name {
                policy.restrict(CachePolicy(maxAge: control.defaultMaxAge))
            }
            return
        }
        policy.restrict(isRoot ? rule.rootRestriction : rule.restriction)
        guard let selections = field.selectionSet?.selections else { return }
        for type in rule.targets { open.append(OpenSelectionSet(selections: selections, type: type, isRoot: false)) }
    }

    private mutating func look(at set: SelectionSet, on condition: String?, in outer: OpenSelectionSet) {
        for type in types(in: outer.type, on: condition) {
            open.append(OpenSelectionSet(selections: set.selections, type: type, isRoot: outer.isRoot))
        }
    }

    /// What objects of a type can be that a fragment applies to (DoesFragmentTypeApply).
    private func types(in outer: NamedType, on condition: String?) -> [NamedType] {
        let schema = planner.schema.schema
        guard let condition, condition != outer.name else { return [outer] }
        guard let type = schema.type(named: condition) else { return [] }
        guard outer.isAbstract else { return schema.isSubtype(outer, of: type) ? [outer] : [] }
        guard type.isAbstract else { return schema.isSubtype(type, of: outer) ? [type] : [] }
        let possible = schema.possibleTypes(of: type)
        let both = possible.filter { schema.isSubtype(.object($0), of: outer) }
        return both.count == possible.count ? [type] : both.map(NamedType.object)
    }
}
