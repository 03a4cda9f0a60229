internal import Synchronization

/// The plan of an operation: a tree of fields that can be executed repeatedly. A plan applies to one combination of
/// values of the variables in `@skip`, `@include`, `@defer` and `@stream`.
public final class OperationPlan: Sendable {
    /// The fields of the operation's root object.
    public let root: PlannedSelection
    /// The cache policy of responses, according to the schema; nil if the operation is not a query.
    public let cachePolicy: CachePolicy?
    /// The operation's only field, if the field has a subtree resolver.
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

    /// The number of fields that have been planned so far.
    public var fieldCount: Int { planner.fieldCount }

    /// Returns the formula of the operation's cost. The first call creates the formula, and plans the selections on
    /// interfaces and unions for all their possible types.
    func costFormula(_ schema: ResolvedSchema, _ source: Source) throws(GraphQLError) -> CostFormula {
        if let formula = formula.withLock({ $0 }) { return formula }
        let made = try CostFormulaBuilder.formula(
            of: self, model: schema.costModel, schema: schema.schema, source: source)
        formula.withLock { $0 = made }
        return made
    }
}
