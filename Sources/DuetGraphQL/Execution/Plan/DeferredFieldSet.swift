/// The fields of an object that are deferred by the same usages of `@defer` (a *deferred grouped field set*).
///
/// For one object, they are executed together as an *execution group*.
final class DeferredFieldSet: Sendable {
    let deferUsages: [DeferUsage]
    /// The fields, as a selection of their own.
    let selection: PlannedSelection

    init(deferUsages: [DeferUsage], selection: PlannedSelection) {
        self.deferUsages = deferUsages
        self.selection = selection
    }

    var fields: [PlannedField] { selection.fields }
}
