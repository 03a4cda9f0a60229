/// One `@defer` at one place of the plan.
final class DeferUsage: Sendable {
    let label: String?
    /// The field whose object's selection it stands in; nil for the root.
    let place: PlanPlace?
    /// The `@defer` around it.
    let parent: DeferUsage?

    init(label: String?, place: PlanPlace?, parent: DeferUsage?) {
        self.label = label
        self.place = place
        self.parent = parent
    }

    var ancestors: some Sequence<DeferUsage> { sequence(first: self, next: \.parent).dropFirst() }
}

/// Fields of an object that are answered together, after the rest, for those usages of `@defer`.
final class DeferredFields: Sendable {
    let usages: [DeferUsage]
    /// The fields, as a selection of their own.
    let selection: PlannedSelection

    init(usages: [DeferUsage], selection: PlannedSelection) {
        self.usages = usages
        self.selection = selection
    }

    var fields: [PlannedField] { selection.fields }
}
