internal import Synchronization

/// What a field or a list's item must be, and what is selected from it.
public final class PlannedOutput: Sendable {
    /// The kinds of values.
    public enum Kind: Sendable {
        /// A scalar.
        case scalar(ScalarType)
        /// An enum's value.
        case `enum`(EnumType)
        /// A list of others.
        case list(PlannedOutput)
        /// An object of one type.
        case object(PlannedSelection)
        /// An object of a type that is known when it is there.
        case abstract(AbstractSelection)
    }

    /// The type.
    public let type: GraphQLType
    /// Whether null is not allowed.
    public let isNonNull: Bool
    /// What it is.
    public let kind: Kind
    let leaf: Leaf

    /// What is quickly tested for the values of nearly all fields.
    enum Leaf: UInt8, Sendable {
        case none
        case int
        case float
        case string
        case boolean
        case id
        case other
    }

    init(type: GraphQLType, kind: Kind) {
        self.type = type
        isNonNull = type.isNonNull
        self.kind = kind
        switch kind {
        case .scalar(let scalar):
            leaf =
                switch scalar.name {
                case "Int": .int
                case "Float": .float
                case "String": .string
                case "Boolean": .boolean
                case "ID": .id
                default: .other
                }
        case .enum: leaf = .other
        default: leaf = .none
        }
    }

    /// The named type's selection inside all lists, if it is an object type.
    public var selection: PlannedSelection? {
        switch kind {
        case .object(let selection): selection
        case .list(let item): item.selection
        default: nil
        }
    }
}

/// What is selected from an object of one type: its fields in the order of the response.
public final class PlannedSelection: Sendable {
    /// The object type.
    public let type: ObjectType
    /// The fields that are answered at once; those of `@defer` that are not deferred are among them.
    public let fields: [PlannedField]
    /// The fields that are answered later.
    let deferred: [DeferredFields]
    /// The same fields, to be used without counting references while this is there.
    let steps: [Unmanaged<PlannedField>]

    init(type: ObjectType, fields: [PlannedField], deferred: [DeferredFields]) {
        self.type = type
        self.fields = fields
        self.deferred = deferred
        steps = fields.map(Unmanaged.passUnretained)
    }
}

/// What is selected from an object whose type is known only when it is there. The plan for a type is made when the first
/// object of that type is met.
public final class AbstractSelection: Sendable {
    /// The interface or union.
    public let type: NamedType
    private let collected: @Sendable (ObjectType) throws(GraphQLError) -> PlannedSelection
    private let plans = Mutex<[String: Result<PlannedSelection, GraphQLError>]>([:])

    init(
        type: NamedType, plan: @escaping @Sendable (ObjectType) throws(GraphQLError) -> PlannedSelection
    ) {
        self.type = type
        collected = plan
    }

    /// What is selected if the object is of that type.
    /// - Throws: if the operation is too large.
    public func selection(for type: ObjectType) throws(GraphQLError) -> PlannedSelection {
        if let known = plans.withLock({ $0[type.name] }) { return try known.get() }
        let plan = Result { () throws(GraphQLError) in try collected(type) }
        // Of two that were made at the same time the first stays, as objects refer to their plans.
        return try plans.withLock { plans in
            if let known = plans[type.name] { return known }
            plans[type.name] = plan
            return plan
        }.get()
    }

    /// The plans made so far, by type name.
    var known: [(name: String, selection: PlannedSelection)] {
        plans.withLock { plans in
            plans.sorted { $0.key < $1.key }.compactMap { name, plan in (try? plan.get()).map { (name, $0) } }
        }
    }
}
