/// A field's position in a plan. It refers to the positions above it, and not to those below it.
///
/// One plan position has many response positions if there are lists above it.
final class PlanPosition: Sendable {
    /// The number of the field in the order of planning, which is less than those of the fields after it and below it.
    let id: Int32
    let parent: PlanPosition?
    let depth: Int32

    init(id: Int32, parent: PlanPosition?) {
        self.id = id
        self.parent = parent
        depth = (parent?.depth ?? 0) + 1
    }
}
