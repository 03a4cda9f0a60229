internal import Synchronization

/// The selected fields of an object of one type, in the order of the response.
public final class PlannedSelection: Sendable {
    /// The object type.
    public let type: ObjectType
    /// The fields that are not deferred.
    public let fields: [PlannedField]
    /// The fields that are deferred.
    let deferred: [DeferredFieldSet]
    /// The elements of ``fields`` without reference counting. They are valid while this object is referenced.
    let unmanagedFields: [Unmanaged<PlannedField>]

    init(type: ObjectType, fields: [PlannedField], deferred: [DeferredFieldSet]) {
        self.type = type
        self.fields = fields
        self.deferred = deferred
        unmanagedFields = fields.map(Unmanaged.passUnretained)
    }
}

/// The selections on an interface or a union. The fields for an object type are planned when the first object of the
/// type is resolved.
public final class AbstractSelection: Sendable {
    /// The interface or union.
    public let type: NamedType
    private let makePlan: @Sendable (ObjectType) throws(GraphQLError) -> PlannedSelection
    private let plans = Mutex<[String: Result<PlannedSelection, GraphQLError>]>([:])

    init(
        type: NamedType, makePlan: @escaping @Sendable (ObjectType) throws(GraphQLError) -> PlannedSelection
    ) {
        self.type = type
        self.makePlan = makePlan
    }

    /// Returns the selected fields of objects of a type.
    /// - Throws: An error if the plan exceeds the limits.
    public func selection(for type: ObjectType) throws(GraphQLError) -> PlannedSelection {
        if let plan = plans.withLock({ $0[type.name] }) { return try plan.get() }
        let plan = Result { () throws(GraphQLError) in try makePlan(type) }
        // If two tasks create a plan concurrently, both use the first plan, because incomplete fields may already refer
        // to its plan positions.
        return try plans.withLock { plans in
            if let first = plans[type.name] { return first }
            plans[type.name] = plan
            return plan
        }.get()
    }

    /// The existing plans, by type name.
    var plannedSelections: [(typeName: String, selection: PlannedSelection)] {
        plans.withLock { plans in
            plans.sorted { $0.key < $1.key }.compactMap { name, plan in (try? plan.get()).map { (name, $0) } }
        }
    }
}

/// One `@defer` at one position of the plan.
final class DeferUsage: Sendable {
    let label: String?
    /// The field whose selection set contains the `@defer`; nil for the root.
    let planPosition: PlanPosition?
    /// The innermost enclosing `@defer`.
    let parent: DeferUsage?

    init(label: String?, planPosition: PlanPosition?, parent: DeferUsage?) {
        self.label = label
        self.planPosition = planPosition
        self.parent = parent
    }

    var ancestors: some Sequence<DeferUsage> { sequence(first: self, next: \.parent).dropFirst() }
}

/// The fields of an object that are deferred by the same usages of `@defer` (a *deferred grouped field set*).
///
/// The fields of one object are executed together as an *execution group*.
final class DeferredFieldSet: Sendable {
    let deferUsages: [DeferUsage]
    /// The fields as a separate selection.
    let selection: PlannedSelection

    init(deferUsages: [DeferUsage], selection: PlannedSelection) {
        self.deferUsages = deferUsages
        self.selection = selection
    }

    var fields: [PlannedField] { selection.fields }
}
