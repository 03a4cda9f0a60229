internal import Synchronization

/// The plan of an operation for one combination of the variables that its conditions depend on: a tree of fields that
/// can be executed any number of times.
public final class OperationPlan: Sendable {
    /// The fields of the operation's root object.
    public let root: PlannedSelection
    /// The cache policy of responses, according to the schema; nil if the operation is no query.
    public let cachePolicy: CachePolicy?
    /// The operation's only field, if a subtree resolver resolves it.
    let singleSubtreeField: SingleSubtreeField?
    private let planner: OperationPlanner
    private let formula = Mutex<CostFormula?>(nil)

    init(
        _ operation: OperationDefinition, on type: ObjectType, planner: OperationPlanner
    ) throws(GraphQLError) {
        self.planner = planner
        root = try planner.plan(operation, on: type)
        singleSubtreeField = SingleSubtreeField(root)
        cachePolicy =
            operation.operation == .query ? CachePolicyBuilder.policy(of: operation, root, plannedBy: planner) : nil
    }

    /// The number of fields planned so far.
    public var fieldCount: Int { planner.fieldCount }

    /// The formula of the operation's cost. The first call makes it, and plans the selections from interfaces and
    /// unions for all their possible types.
    func costFormula(_ schema: ResolvedSchema, _ source: Source) throws(GraphQLError) -> CostFormula {
        if let formula = formula.withLock({ $0 }) { return formula }
        let made = try CostFormulaBuilder.formula(
            of: self, model: schema.costModel, schema: schema.schema, source: source)
        formula.withLock { $0 = made }
        return made
    }
}
