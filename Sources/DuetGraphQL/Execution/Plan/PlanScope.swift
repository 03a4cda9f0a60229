/// The context in which the selection sets of a field are planned.
struct PlanScope: Sendable {
    /// The usages of `@defer` that defer all fields of the scope.
    var deferUsages: [DeferUsage] = []
    /// False if `@defer` and `@stream` are ignored.
    var deliversIncrementally = false
    /// The field whose selection set is planned; nil for the root.
    var planPosition: PlanPosition?
}
