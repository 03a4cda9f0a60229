/// What an operation does, for one combination of the variables that its conditions depend on: a tree of fields, ready to be
/// executed any number of times.
public final class OperationPlan: Sendable {
    /// What is selected from the operation's root object.
    public let root: PlannedSelection
    private let planner: Planner

    init(
        _ operation: OperationDefinition, on type: ObjectType, planner: Planner
    ) throws(GraphQLError) {
        self.planner = planner
        root = try planner.plan(operation, on: type)
    }

    /// The number of fields planned so far.
    public var fieldCount: Int { planner.fieldCount }
}
