/// A field's position in a plan. It refers to the position of its parent field, but not to the positions of its
/// subfields.
///
/// A plan position inside a list corresponds to many response positions.
final class PlanPosition: Sendable {
    /// The number of the field in the order of planning. Subfields and later fields have greater numbers.
    let id: Int32
    let parent: PlanPosition?
    let depth: Int32

    init(id: Int32, parent: PlanPosition?) {
        self.id = id
        self.parent = parent
        depth = (parent?.depth ?? 0) + 1
    }
}
