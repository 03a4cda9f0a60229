/// Limits of an operation's plan. Fragments let a short document select very many fields.
public struct PlanLimits: Sendable, Hashable {
    /// The maximum number of fields, counted at each plan position and once for each possible type.
    public var fields: Int
    /// The maximum number of selections that CollectFields visits.
    public var selections: Int
    /// The maximum nesting of fields, with fragments expanded. Planning and execution recurse to this depth. With the
    /// default, a stack of 512 KiB suffices in a debug build too.
    public var depth: Int

    /// Limits for operations that clients send.
    public init(fields: Int = 50_000, selections: Int = 1_000_000, depth: Int = 64) {
        self.fields = fields
        self.selections = selections
        self.depth = depth
    }
}
