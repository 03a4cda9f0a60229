/// How large the plan of an operation may be. Fragments make short documents ask for much: these limits say how much.
public struct PlanLimits: Sendable, Hashable {
    /// The most fields, counted where they stand in the response and once for each possible type.
    public var fields: Int
    /// The most selections that are looked at while fields are collected.
    public var selections: Int
    /// How deep fields may be nested in one another, fragments taken out. Planning and execution recurse that deep; at the default a
    /// stack of 512 KiB is enough, in a debug build too.
    public var depth: Int

    /// Limits for operations that clients send.
    public init(fields: Int = 50_000, selections: Int = 1_000_000, depth: Int = 64) {
        self.fields = fields
        self.selections = selections
        self.depth = depth
    }
}
