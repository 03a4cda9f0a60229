/// The path of a response position. It is a linked list from the position to the root, so that paths can share a
/// prefix.
final class ResponsePath: Sendable {
    enum Segment: Sendable {
        case field(PlannedField)
        case index(Int)
    }

    let parent: ResponsePath?
    let segment: Segment
    let depth: Int

    init(parent: ResponsePath?, segment: Segment) {
        self.parent = parent
        self.segment = segment
        depth = (parent?.depth ?? 0) + 1
    }

    /// The segments from the root.
    var segments: [Segment] {
        var segments: [Segment] = []
        segments.reserveCapacity(depth)
        var path: ResponsePath? = self
        while let current = path {
            segments.append(current.segment)
            path = current.parent
        }
        return segments.reversed()
    }

    /// The segments from the root, in the form of an error's `path`.
    var elements: [PathElement] {
        segments.map { segment in
            switch segment {
            case .field(let field): .key(field.responseName)
            case .index(let index): .index(index)
            }
        }
    }

    /// Numbers whose lexicographical order is the order in the response.
    var order: [Int] {
        segments.map { segment in
            switch segment {
            case .field(let field): Int(field.planPosition.id)
            case .index(let index): index
            }
        }
    }

    /// The last field of the path.
    var field: PlannedField? {
        var path: ResponsePath? = self
        while let current = path {
            if case .field(let field) = current.segment { return field }
            path = current.parent
        }
        return nil
    }

    /// Returns true if the path begins with `other`. A nil path is the root.
    func isAtOrBelow(_ other: ResponsePath?) -> Bool {
        guard let other else { return true }
        var path: ResponsePath? = self
        while let current = path, current.depth >= other.depth {
            if current === other { return true }
            path = current.parent
        }
        return false
    }

    /// Returns the path of the enclosing object that belongs to the field at a plan position. The object is the value
    /// of this field, or an item if the value is a list. Returns nil if `position` is nil, which represents the root
    /// object.
    func object(of position: PlanPosition?) -> ResponsePath? {
        guard let position else { return nil }
        var path: ResponsePath? = self
        while let current = path {
            if current.field?.planPosition === position { return current }
            path = current.parent
        }
        return nil
    }
}
