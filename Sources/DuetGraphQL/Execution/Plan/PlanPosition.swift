/// A field's position in a plan. It refers to the positions above it, but not to the positions below it.
///
/// A plan position below a list has many response positions.
final class PlanPosition: Sendable {
    /// The number of the field in the order of planning. It is less than the numbers of later fields and of fields
    /// below.
    let id: Int32
    let parent: PlanPosition?
    let depth: Int32

    init(id: Int32, parent: PlanPosition?) {
        self.id = id
        self.parent = parent
        depth = (parent?.depth ?? 0) + 1
    }
}
