/// Where in a response something is: a chain towards the root, so that places share what they have in common.
final class ResponsePath: Sendable {
    enum Step: Sendable {
        case field(PlannedField)
        case index(Int)
    }

    let parent: ResponsePath?
    let step: Step
    let depth: Int

    init(parent: ResponsePath?, step: Step) {
        self.parent = parent
        self.step = step
        depth = (parent?.depth ?? 0) + 1
    }

    /// From the root.
    var steps: [Step] {
        var steps: [Step] = []
        steps.reserveCapacity(depth)
        var path: ResponsePath? = self
        while let current = path {
            steps.append(current.step)
            path = current.parent
        }
        return steps.reversed()
    }

    /// From the root, as an error shows it.
    var elements: [PathElement] {
        steps.map { step in
            switch step {
            case .field(let field): .key(field.responseKey)
            case .index(let index): .index(index)
            }
        }
    }

    /// By which places are ordered as they stand in the response.
    var order: [Int] {
        steps.map { step in
            switch step {
            case .field(let field): Int(field.planPosition.id)
            case .index(let index): index
            }
        }
    }

    /// The innermost field.
    var field: PlannedField? {
        var path: ResponsePath? = self
        while let current = path {
            if case .field(let field) = current.step { return field }
            path = current.parent
        }
        return nil
    }
}

/// The way from a segment's beginning to where it is being written. Nothing is allocated until someone asks for a path.
struct PathStack {
    private enum Step {
        case field(Unmanaged<PlannedField>)
        case index(Int)
    }

    /// The place where the segment's current piece belongs.
    var base: ResponsePath?
    private var steps: ContiguousArray<Step> = []
    /// The paths of the first steps, as far as they are known.
    private var known: ContiguousArray<ResponsePath> = []

    /// One step deeper. The field must stay alive until ``pop()``; it does, as the operation's plan holds it.
    @inline(__always)
    mutating func push(_ field: PlannedField) { steps.append(.field(.passUnretained(field))) }

    @inline(__always)
    mutating func push(index: Int) { steps.append(.index(index)) }

    /// Another item of the same list.
    @inline(__always)
    mutating func replaceTop(index: Int) {
        let top = steps.count - 1
        steps[top] = .index(index)
        if known.count > top { known.removeSubrange(top...) }
    }

    @inline(__always)
    mutating func pop() {
        steps.removeLast()
        if known.count > steps.count { known.removeSubrange(steps.count...) }
    }

    /// Nothing is known of a piece's paths when the next begins.
    mutating func rebase(_ base: ResponsePath?) {
        self.base = base
        known.removeAll(keepingCapacity: true)
    }

    /// The current path.
    mutating func current() -> ResponsePath? {
        while known.count < steps.count {
            let parent = known.last ?? base
            switch steps[known.count] {
            case .field(let field):
                known.append(ResponsePath(parent: parent, step: .field(field.takeUnretainedValue())))
            case .index(let index): known.append(ResponsePath(parent: parent, step: .index(index)))
            }
        }
        return known.last ?? base
    }

    /// The path of a field of the current object.
    mutating func appending(_ field: PlannedField) -> ResponsePath {
        ResponsePath(parent: current(), step: .field(field))
    }
}
