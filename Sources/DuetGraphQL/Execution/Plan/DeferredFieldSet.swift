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
