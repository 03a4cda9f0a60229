internal import Synchronization

/// What an operation does, for one combination of the variables that its conditions depend on: a tree of fields, ready to be
/// executed any number of times.
public final class OperationPlan: Sendable {
    /// What is selected from the operation's root object.
    public let root: PlannedSelection
    /// How long responses may be kept, as far as the schema says it; nil if the operation is no query.
    public let cachePolicy: CachePolicy?
    /// Its one field, if there is nothing else to do.
    let onlySubtree: OnlySubtree?
    private let planner: Planner
    private let formula = Mutex<CostFormula?>(nil)

    init(
        _ operation: OperationDefinition, on type: ObjectType, planner: Planner
    ) throws(GraphQLError) {
        self.planner = planner
        root = try planner.plan(operation, on: type)
        onlySubtree = OnlySubtree(root)
        cachePolicy =
            operation.operation == .query ? CachePolicyBuilder.policy(of: operation, root, plannedBy: planner) : nil
    }

    /// The number of fields planned so far.
    public var fieldCount: Int { planner.fieldCount }

    /// What it costs, made when it is asked for first. All that is selected from interfaces and unions is planned for it.
    func costFormula(_ schema: ExecutableSchema, _ source: Source) throws(GraphQLError) -> CostFormula {
        if let formula = formula.withLock({ $0 }) { return formula }
        let made = try CostFormulaBuilder.formula(
            of: self, model: schema.costModel, schema: schema.schema, source: source)
        formula.withLock { $0 = made }
        return made
    }
}
