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
