/// Determines the cache policy of an operation: the combined restrictions of all fields that its response can contain.
///
/// If a restriction is applied twice, the result is the same as if it is applied once. Therefore the builder does not
/// have to merge the selections of fields with the same response name. It visits each fragment once for each parent
/// type of its spreads. It usually visits a selection set on an interface or a union once, not once for each object
/// type.
struct CachePolicyBuilder {
    private let planner: OperationPlanner
    private let control: CacheControl
    private var policy = CachePolicy.unrestricted
    /// The selection sets that are not visited yet. This stack replaces recursion, because fragments can form chains of
    /// thousands of spreads.
    private var open: [OpenSelectionSet] = []
    private var spread: Set<VisitedSpread> = []
    private var budget: Int

    /// Selections that are not visited yet, with their parent type. They apply to all objects of the type.
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

    /// Returns the policy of an operation.
    /// - Parameters:
    ///   - root: The planned fields of the operation's root object.
    ///   - planner: The planner of the operation, including its conditions.
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
        // No field restricts the age: the response contains only `__typename`.
        if builder.policy.maxAge == .max { builder.policy.restrict(CachePolicy(maxAge: 0)) }
        return builder.policy
    }

    private init(_ planner: OperationPlanner) {
        self.planner = planner
        control = planner.schema.cacheControl
        budget = planner.schema.options.planLimits.selections
    }

    /// Applies the restrictions of a selection set.
    /// - Returns: False if the policy cannot be determined, because there are too many selections, or because the
    ///   condition of a `@skip` or `@include` has no value. A condition without a value is an execution error if the
    ///   selection is executed.
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
            // `__schema` and `__type` return objects without a hint.
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

    /// Returns types that together contain exactly the objects of `outer` to which a fragment with the type condition
    /// applies (DoesFragmentTypeApply).
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
