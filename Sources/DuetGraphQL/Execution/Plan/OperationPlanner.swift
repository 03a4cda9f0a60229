internal import Synchronization

/// Plans an operation for one combination of values of the variables in its conditions (`@skip`, `@include`, `@defer`
/// and `@stream`).
///
/// The plan retains its planner, because selections on interfaces and unions are only planned when an object is
/// resolved.
final class OperationPlanner: Sendable {
    let schema: ResolvedSchema
    let fragments: [String: FragmentDefinition]
    let conditions: PlanConditions
    /// The limits, minus the fields and selections that have been planned so far.
    private let budget: Mutex<PlanLimits>
    private let lastID = Atomic<Int32>(0)

    init(schema: ResolvedSchema, fragments: [String: FragmentDefinition], conditions: PlanConditions) {
        self.schema = schema
        self.fragments = fragments
        self.conditions = conditions
        budget = Mutex(schema.options.planLimits)
    }

    /// Plans an operation.
    /// - Throws: An error if the plan exceeds the limits, or if the condition of a `@skip` or `@include` has no value.
    func plan(_ operation: OperationDefinition, on type: ObjectType) throws(GraphQLError) -> PlannedSelection {
        try planSelection(
            from: type, [MergedSelectionSet(set: operation.selectionSet, deferUsage: nil)],
            PlanScope(deliversIncrementally: conditions.deliversIncrementally), rootOperation: operation.operation)
    }

    var tooLargeError: GraphQLError {
        GraphQLError("The operation is too large: its fragments select too many fields.")
    }

    /// The number of fields that have been planned so far.
    var fieldCount: Int { Int(lastID.load(ordering: .relaxed)) }
}

// MARK: - Selections

extension OperationPlanner {
    /// One of the selection sets that are merged for an object, with the innermost enclosing `@defer`.
    struct MergedSelectionSet: Sendable {
        let set: SelectionSet
        let deferUsage: DeferUsage?
    }

    /// Plans the fields of an object from all merged selection sets (CollectSubfields).
    /// - Parameter rootOperation: The type of the operation if `type` is its root type; otherwise nil.
    private func planSelection(
        from type: ObjectType, _ sets: [MergedSelectionSet], _ scope: PlanScope, rootOperation: OperationType? = nil
    ) throws(GraphQLError) -> PlannedSelection {
        try checkDepth(scope)
        let draft = SelectionDraft(type, try collectFields(of: type, sets, scope), scope)
        while let fieldSet = draft.next() {
            if let field = try planField(fieldSet, parent: type, scope, rootOperation) {
                draft.add(field, deferUsages: fieldSet.deferUsages)
            }
        }
        return draft.finish()
    }

    private func checkDepth(_ scope: PlanScope) throws(GraphQLError) {
        guard (scope.planPosition?.depth ?? 0) < schema.options.planLimits.depth else {
            throw GraphQLError(
                "The operation is too deep: fields are nested more than \(schema.options.planLimits.depth) levels.")
        }
    }

    private func collectFields(
        of type: ObjectType, _ sets: [MergedSelectionSet], _ scope: PlanScope
    ) throws(GraphQLError) -> FieldCollector {
        var collector = FieldCollector(planner: self, type: type, scope: scope)
        var remaining = budget.withLock { $0 }
        let before = remaining.selections
        for set in sets { try collector.collectFields(set.set, deferUsage: set.deferUsage, budget: &remaining) }
        let visited = before - remaining.selections
        let count = collector.fieldSets.count
        let fits = budget.withLock { budget in
            budget.selections -= visited
            budget.fields -= count
            return budget.selections >= 0 && budget.fields >= 0
        }
        guard fits else { throw tooLargeError }
        return collector
    }
}

// MARK: - Fields

extension OperationPlanner {
    private func planField(
        _ fieldSet: FieldSet, parent: ObjectType, _ scope: PlanScope, _ rootOperation: OperationType?
    ) throws(GraphQLError) -> PlannedField? {
        guard let draft = try draft(fieldSet, parent, scope, rootOperation) else { return nil }
        let output = try planOutput(draft.field.type, draft.selectionSets, draft.subfieldScope)
        return try finish(draft, fieldSet, parent, output)
    }

    private func draft(
        _ fieldSet: FieldSet, _ parent: ObjectType, _ scope: PlanScope, _ rootOperation: OperationType?
    ) throws(GraphQLError) -> FieldDraft? {
        let node = fieldSet.details[0].field
        guard let field = schema.schema.field(named: node.name.value, on: .object(parent)) else { return nil }
        let position = PlanPosition(id: lastID.add(1, ordering: .relaxed).newValue, parent: scope.planPosition)
        let resolver = try schema.resolver(
            of: field, on: parent, rootOperation: rootOperation, source: conditions.source, node: node)
        return FieldDraft(
            field, fieldSet, at: position, resolver: resolver, deliversIncrementally: scope.deliversIncrementally)
    }

    private func finish(
        _ draft: FieldDraft, _ fieldSet: FieldSet, _ parent: ObjectType, _ output: PlannedOutput
    ) throws(GraphQLError) -> PlannedField {
        let node = fieldSet.details[0].field
        // An invalid argument of `@stream` is an error even if `@stream` is ignored.
        let stream = try conditions.streamUsage(node.directives)
        return PlannedField(
            responseName: fieldSet.responseName, field: draft.field, parentType: parent, output: output,
            planPosition: draft.planPosition, resolver: draft.resolver,
            constant: draft.field.name == schema.schema.typeNameField.name ? parent.name : nil,
            arguments: planArguments(of: draft.field, node), nodes: fieldSet.details.map(\.field),
            stream: draft.subfieldScope.deliversIncrementally ? stream : nil)
    }

    private func planArguments(of field: SchemaField, _ node: Field) -> ArgumentPlan {
        if field.arguments.isEmpty { return .constant([:]) }
        if node.arguments.contains(where: { $0.value.containsVariable }) { return .dependsOnVariables }
        do {
            return .constant(
                try ArgumentCoercion.coerce(
                    field.arguments, of: node, variables: [:], schema: schema.schema, source: conditions.source))
        } catch {
            return .invalid(error)
        }
    }

    private func planOutput(
        _ type: GraphQLType, _ sets: [MergedSelectionSet], _ scope: PlanScope
    ) throws(GraphQLError) -> PlannedOutput {
        switch type.nullable {
        case .nonNull(let inner): return try planOutput(inner, sets, scope)
        case .list(let item): return PlannedOutput(type: type, kind: .list(try planOutput(item, sets, scope)))
        case .named(let name):
            guard case .object(let object)? = schema.schema[name] else {
                return try planLeafOrAbstract(type, name, sets, scope)
            }
            return PlannedOutput(type: type, kind: .object(try planSelection(from: object, sets, scope)))
        }
    }

    private func planLeafOrAbstract(
        _ type: GraphQLType, _ name: TypeName, _ sets: [MergedSelectionSet], _ scope: PlanScope
    ) throws(GraphQLError) -> PlannedOutput {
        switch schema.schema[name] {
        case .scalar(let scalar): return PlannedOutput(type: type, kind: .scalar(scalar))
        case .enum(let enumType): return PlannedOutput(type: type, kind: .enum(enumType))
        case .interface, .union:
            guard let abstract = schema.schema[name] else { throw tooLargeError }
            return PlannedOutput(
                type: type,
                kind: .abstract(
                    AbstractSelection(type: abstract) { (object) throws(GraphQLError) in
                        try self.planSelection(from: object, sets, scope)
                    }))
        case .object, .inputObject, nil: throw GraphQLError("Type \"\(name)\" is not an output type.")
        }
    }
}

extension Literal {
    /// True if the value is or contains a variable.
    var containsVariable: Bool {
        var open = [self]
        while let literal = open.popLast() {
            switch literal.kind {
            case .variable: return true
            case .list(let items): open += items
            case .object(let fields): open += fields.map(\.value)
            default: break
            }
        }
        return false
    }
}

/// The context in which the selection sets of a field are planned.
struct PlanScope: Sendable {
    /// The usages of `@defer` that defer all fields of the scope.
    var deferUsages: [DeferUsage] = []
    /// False if `@defer` and `@stream` are ignored.
    var deliversIncrementally = false
    /// The field whose selection set is planned; nil for the root.
    var planPosition: PlanPosition?
}
