internal import Synchronization

/// Makes plans, for one combination of the variables that an operation's conditions depend on. It stays with the plan, as
/// what is selected from interfaces and unions is planned when there are objects.
final class Planner: Sendable {
    let schema: ExecutableSchema
    let fragments: [String: FragmentDefinition]
    let conditions: PlanConditions
    private let state: Mutex<State>

    private struct State {
        var budget: PlanLimits
        var nextID: Int32 = 0
    }

    init(schema: ExecutableSchema, fragments: [String: FragmentDefinition], conditions: PlanConditions) {
        self.schema = schema
        self.fragments = fragments
        self.conditions = conditions
        state = Mutex(State(budget: schema.options.planLimits))
    }

    /// Plans a whole operation.
    /// - Throws: if it is too large, or a condition has no value.
    func plan(_ operation: OperationDefinition, on type: ObjectType) throws(GraphQLError) -> PlannedSelection {
        try planned(
            type, from: [Selected(set: operation.selectionSet, usage: nil)],
            PlanScope(delivers: conditions.deliversIncrementally), isRoot: operation.operation)
    }

    var tooLarge: GraphQLError {
        GraphQLError("The operation is too large: its fragments ask for too many fields.")
    }

    /// The number of fields planned so far.
    var fieldCount: Int { Int(state.withLock { $0.nextID }) }
}

// MARK: - Planning

extension Planner {
    struct Selected: Sendable {
        let set: SelectionSet
        let usage: DeferUsage?
    }

    /// The plan for an object of one type, from all selection sets that are merged (MergeSelectionSets).
    private func planned(
        _ type: ObjectType, from sets: [Selected], _ scope: PlanScope, isRoot: OperationType? = nil
    ) throws(GraphQLError) -> PlannedSelection {
        guard (scope.place?.depth ?? 0) < schema.options.planLimits.depth else {
            throw GraphQLError(
                "The operation is too deep: fields are nested more than \(schema.options.planLimits.depth) levels.")
        }
        let collector = try collected(type, from: sets, scope)
        var fields: [PlannedField] = []
        var deferred: [(usages: [DeferUsage], fields: [PlannedField])] = []
        fields.reserveCapacity(collector.groups.count)
        for (key, nodes) in collector.groups {
            let usages = Self.deferUsages(of: nodes)
            guard let field = try planned(key, nodes, usages, parent: type, scope, isRoot: isRoot) else { continue }
            if usages.isEmpty || Self.same(usages, scope.usages) {
                fields.append(field)
            } else if let index = deferred.firstIndex(where: { Self.same($0.usages, usages) }) {
                deferred[index].fields.append(field)
            } else {
                deferred.append((usages, [field]))
            }
        }
        return PlannedSelection(
            type: type, fields: fields,
            deferred: deferred.map {
                DeferredFields(
                    usages: $0.usages, selection: PlannedSelection(type: type, fields: $0.fields, deferred: []))
            })
    }

    private func collected(_ type: ObjectType, from sets: [Selected], _ scope: PlanScope) throws(GraphQLError)
        -> FieldCollector
    {
        var collector = FieldCollector(planner: self, type: type, scope: scope)
        var budget = state.withLock { $0.budget }
        let before = budget.selections
        for selected in sets { try collector.collect(selected.set, usage: selected.usage, budget: &budget) }
        let used = before - budget.selections
        let count = collector.groups.count
        let fits = state.withLock { state in
            state.budget.selections -= used
            state.budget.fields -= count
            return state.budget.selections >= 0 && state.budget.fields >= 0
        }
        guard fits else { throw tooLarge }
        return collector
    }

    /// The usages of `@defer` a field belongs to: none if it is also selected outside of all, and only the outermost.
    private static func deferUsages(of nodes: [FieldCollector.Node]) -> [DeferUsage] {
        var usages: [DeferUsage] = []
        for node in nodes {
            guard let usage = node.usage else { return [] }
            if !usages.contains(where: { $0 === usage }) { usages.append(usage) }
        }
        return usages.filter { usage in !usage.ancestors.contains { ancestor in usages.contains { $0 === ancestor } } }
    }

    private static func same(_ left: [DeferUsage], _ right: [DeferUsage]) -> Bool {
        left.count == right.count && left.allSatisfy { usage in right.contains { $0 === usage } }
    }

    private func planned(
        _ key: String, _ nodes: [FieldCollector.Node], _ usages: [DeferUsage], parent: ObjectType,
        _ scope: PlanScope, isRoot: OperationType?
    ) throws(GraphQLError) -> PlannedField? {
        let node = nodes[0].field
        guard let field = schema.schema.field(named: node.name.value, on: .object(parent)) else { return nil }
        let place = PlanPlace(
            id: state.withLock { state in
                state.nextID += 1
                return state.nextID
            }, parent: scope.place)
        let resolver = try schema.resolver(of: field, on: parent, isRoot: isRoot, source: conditions.source, node: node)
        var inner = PlanScope(usages: usages, delivers: scope.delivers, place: place)
        // Who takes over a whole subtree delivers it at once.
        if case .subtree = resolver { inner = PlanScope(place: place) }
        var sets: [Selected] = []
        for node in nodes {
            guard let set = node.field.selectionSet else { continue }
            sets.append(Selected(set: set, usage: inner.delivers ? node.usage : nil))
        }
        return PlannedField(
            responseKey: key, field: field, parentType: parent, output: try output(field.type, sets, inner),
            place: place, resolver: resolver,
            constant: field.name == schema.schema.typeNameField.name ? parent.name : nil,
            arguments: arguments(of: field, node), nodes: nodes.map(\.field),
            stream: inner.delivers ? try conditions.streamUsage(node.directives) : nil)
    }

    private func arguments(of field: SchemaField, _ node: Field) -> PlannedField.Arguments {
        if field.arguments.isEmpty { return .constant([:]) }
        if node.arguments.contains(where: { $0.value.containsVariable }) { return .needVariables }
        do {
            return .constant(
                try ArgumentCoercion.coerce(
                    field.arguments, of: node, variables: [:], schema: schema.schema, source: conditions.source))
        } catch {
            return .invalid(error)
        }
    }

    private func output(
        _ type: GraphQLType, _ sets: [Selected], _ scope: PlanScope
    ) throws(GraphQLError) -> PlannedOutput {
        let kind: PlannedOutput.Kind
        switch type.nullable {
        case .nonNull(let inner): return try output(inner, sets, scope)
        case .list(let item): kind = .list(try output(item, sets, scope))
        case .named(let name):
            switch schema.schema[name] {
            case .scalar(let scalar): kind = .scalar(scalar)
            case .enum(let type): kind = .enum(type)
            case .object(let object): kind = .object(try planned(object, from: sets, scope))
            case .interface, .union:
                guard let abstract = schema.schema[name] else { throw tooLarge }
                kind = .abstract(
                    AbstractSelection(type: abstract) { (object) throws(GraphQLError) in
                        try self.planned(object, from: sets, scope)
                    })
            case .inputObject, nil: throw GraphQLError("Type \"\(name)\" is not an output type.")
            }
        }
        return PlannedOutput(type: type, kind: kind)
    }
}

extension Literal {
    /// Whether a variable is somewhere in it.
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

/// Where in a plan selection sets are planned.
struct PlanScope: Sendable {
    /// The usages of `@defer` that all fields here belong to anyway.
    var usages: [DeferUsage] = []
    /// Whether `@defer` and `@stream` count.
    var delivers = false
    /// The field whose objects' selection it is; nil for the root.
    var place: PlanPlace?
}
