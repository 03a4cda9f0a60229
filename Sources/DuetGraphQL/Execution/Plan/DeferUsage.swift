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
