internal import Synchronization

/// Makes plans, for one combination of the variables that an operation's conditions depend on. It stays with the plan, as
/// what is selected from interfaces and unions is planned when there are objects.
final class Planner: Sendable {
    let schema: ExecutableSchema
    let fragments: [String: FragmentDefinition]
    let conditions: PlanConditions
    /// What may still be planned.
    private let budget: Mutex<PlanLimits>
    private let lastID = Atomic<Int32>(0)

    init(schema: ExecutableSchema, fragments: [String: FragmentDefinition], conditions: PlanConditions) {
        self.schema = schema
        self.fragments = fragments
        self.conditions = conditions
        budget = Mutex(schema.options.planLimits)
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
    var fieldCount: Int { Int(lastID.load(ordering: .relaxed)) }
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
        try checkDepth(scope)
        let draft = SelectionDraft(type, try collected(type, from: sets, scope), scope)
        while let group = draft.next() {
            if let field = try planned(group, parent: type, scope, isRoot: isRoot) {
                draft.add(field, usages: group.usages)
            }
        }
        return draft.finish()
    }

    private func checkDepth(_ scope: PlanScope) throws(GraphQLError) {
        guard (scope.place?.depth ?? 0) < schema.options.planLimits.depth else {
            throw GraphQLError(
                "The operation is too deep: fields are nested more than \(schema.options.planLimits.depth) levels.")
        }
    }

    // What is put together for a selection and for a field is in objects of their own: planning recurses as deep as fields are
    // nested, and so it needs hardly any stack.

    /// A selection that is being planned.
    private final class SelectionDraft {
        private let type: ObjectType
        private let scope: PlanScope
        private let groups: [(key: String, nodes: [FieldCollector.Node])]
        private var position = 0
        private var fields: [PlannedField] = []
        private var deferred: [(usages: [DeferUsage], fields: [PlannedField])] = []

        init(_ type: ObjectType, _ collector: FieldCollector, _ scope: PlanScope) {
            self.type = type
            self.scope = scope
            groups = collector.groups
            fields.reserveCapacity(groups.count)
        }

        /// The next response key.
        func next() -> FieldGroup? {
            guard position < groups.count else { return nil }
            position += 1
            return FieldGroup(key: groups[position - 1].key, nodes: groups[position - 1].nodes)
        }

        func add(_ field: PlannedField, usages: [DeferUsage]) {
            if usages.isEmpty || Planner.same(usages, scope.usages) {
                fields.append(field)
            } else if let index = deferred.firstIndex(where: { Planner.same($0.usages, usages) }) {
                deferred[index].fields.append(field)
            } else {
                deferred.append((usages, [field]))
            }
        }

        func finish() -> PlannedSelection {
            PlannedSelection(
                type: type, fields: fields,
                deferred: deferred.map {
                    DeferredFields(
                        usages: $0.usages, selection: PlannedSelection(type: type, fields: $0.fields, deferred: []))
                })
        }
    }

    /// The fields of one response key, which become one planned field.
    private final class FieldGroup {
        let key: String
        let nodes: [FieldCollector.Node]
        let usages: [DeferUsage]

        init(key: String, nodes: [FieldCollector.Node]) {
            self.key = key
            self.nodes = nodes
            usages = Planner.deferUsages(of: nodes)
        }
    }

    /// A field that is being planned.
    private final class FieldDraft {
        let field: SchemaField
        let place: PlanPlace
        let resolver: FieldResolver
        /// Where what is selected from it is planned, and what that is.
        let inner: PlanScope
        let sets: [Selected]

        init(
            _ field: SchemaField, _ group: FieldGroup, place: PlanPlace, resolver: FieldResolver, delivers: Bool
        ) {
            self.field = field
            self.place = place
            self.resolver = resolver
            var inner = PlanScope(usages: group.usages, delivers: delivers, place: place)
            // Who takes over a whole subtree delivers it at once.
            if case .subtree = resolver { inner = PlanScope(place: place) }
            self.inner = inner
            var sets: [Selected] = []
            for node in group.nodes {
                guard let set = node.field.selectionSet else { continue }
                sets.append(Selected(set: set, usage: inner.delivers ? node.usage : nil))
            }
            self.sets = sets
        }
    }

    private func collected(_ type: ObjectType, from sets: [Selected], _ scope: PlanScope) throws(GraphQLError)
        -> FieldCollector
    {
        var collector = FieldCollector(planner: self, type: type, scope: scope)
        var left = budget.withLock { $0 }
        let before = left.selections
        for selected in sets { try collector.collect(selected.set, usage: selected.usage, budget: &left) }
        let used = before - left.selections
        let count = collector.groups.count
        let fits = budget.withLock { budget in
            budget.selections -= used
            budget.fields -= count
            return budget.selections >= 0 && budget.fields >= 0
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
        _ group: FieldGroup, parent: ObjectType, _ scope: PlanScope, isRoot: OperationType?
    ) throws(GraphQLError) -> PlannedField? {
        guard let draft = try draft(group, parent, scope, isRoot) else { return nil }
        let output = try output(draft.field.type, draft.sets, draft.inner)
        return try finish(draft, group, parent, output)
    }

    private func draft(
        _ group: FieldGroup, _ parent: ObjectType, _ scope: PlanScope, _ isRoot: OperationType?
    ) throws(GraphQLError) -> FieldDraft? {
        let node = group.nodes[0].field
        guard let field = schema.schema.field(named: node.name.value, on: .object(parent)) else { return nil }
        let place = PlanPlace(id: lastID.add(1, ordering: .relaxed).newValue, parent: scope.place)
        let resolver = try schema.resolver(of: field, on: parent, isRoot: isRoot, source: conditions.source, node: node)
        return FieldDraft(field, group, place: place, resolver: resolver, delivers: scope.delivers)
    }

    private func finish(
        _ draft: FieldDraft, _ group: FieldGroup, _ parent: ObjectType, _ output: PlannedOutput
    ) throws(GraphQLError) -> PlannedField {
        let node = group.nodes[0].field
        // What is wrong with it is an error whether or not it counts.
        let stream = try conditions.streamUsage(node.directives)
        return PlannedField(
            responseKey: group.key, field: draft.field, parentType: parent, output: output, place: draft.place,
            resolver: draft.resolver,
            constant: draft.field.name == schema.schema.typeNameField.name ? parent.name : nil,
            arguments: arguments(of: draft.field, node), nodes: group.nodes.map(\.field),
            stream: draft.inner.delivers ? stream : nil)
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
        switch type.nullable {
        case .nonNull(let inner): return try output(inner, sets, scope)
        case .list(let item): return PlannedOutput(type: type, kind: .list(try output(item, sets, scope)))
        case .named(let name):
            guard case .object(let object)? = schema.schema[name] else {
                return try leafOrAbstract(type, name, sets, scope)
            }
            return PlannedOutput(type: type, kind: .object(try planned(object, from: sets, scope)))
        }
    }

    private func leafOrAbstract(
        _ type: GraphQLType, _ name: TypeName, _ sets: [Selected], _ scope: PlanScope
    ) throws(GraphQLError) -> PlannedOutput {
        switch schema.schema[name] {
        case .scalar(let scalar): return PlannedOutput(type: type, kind: .scalar(scalar))
        case .enum(let enumType): return PlannedOutput(type: type, kind: .enum(enumType))
        case .interface, .union:
            guard let abstract = schema.schema[name] else { throw tooLarge }
            return PlannedOutput(
                type: type,
                kind: .abstract(
                    AbstractSelection(type: abstract) { (object) throws(GraphQLError) in
                        try self.planned(object, from: sets, scope)
                    }))
        case .object, .inputObject, nil: throw GraphQLError("Type \"\(name)\" is not an output type.")
        }
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
