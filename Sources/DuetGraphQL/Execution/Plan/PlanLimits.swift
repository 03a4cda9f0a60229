/// Limits of an operation's plan. With fragments, a short document can select a very large number of fields.
public struct PlanLimits: Sendable, Hashable {
    /// The maximum number of fields. A field of a fragment is counted once for each position in the plan and for each
    /// object type for which it is planned.
    public var fields: Int
    /// The maximum number of selections that CollectFields visits.
    public var selections: Int
    /// The maximum nesting depth of fields, including the fields of fragments. Planning and execution recurse to this
    /// depth. For the default, a stack of 512 KiB is sufficient, even in a debug build.
    public var depth: Int

    /// Creates limits. The defaults are for operations of unknown clients.
    public init(fields: Int = 50_000, selections: Int = 1_000_000, depth: Int = 64) {
        self.fields = fields
        self.selections = selections
        self.depth = depth
    }
}
