/// The path of the current response position. A ``ResponsePath`` is only allocated when the path is read.
struct PathStack {
    private enum Segment {
        case field(Unmanaged<PlannedField>)
        case index(Int)
    }

    /// The path of the current ``SerializedValue``.
    private var base: ResponsePath?
    /// The segments after ``base``.
    private var segments: ContiguousArray<Segment> = []
    /// The allocated paths of the first segments: `paths[i]` ends with `segments[i]`.
    private var paths: ContiguousArray<ResponsePath> = []

    /// Appends a field. The field must exist until ``pop()``; the operation's plan retains it.
    @inline(__always)
    mutating func push(_ field: PlannedField) { segments.append(.field(.passUnretained(field))) }

    @inline(__always)
    mutating func push(index: Int) { segments.append(.index(index)) }

    /// Replaces the index of a list item with the index of the next item.
    @inline(__always)
    mutating func replaceTop(index: Int) {
        let top = segments.count - 1
        segments[top] = .index(index)
        if paths.count > top { paths.removeSubrange(top...) }
    }

    @inline(__always)
    mutating func pop() {
        segments.removeLast()
        if paths.count > segments.count { paths.removeSubrange(segments.count...) }
    }

    /// Sets the path of the next ``SerializedValue``.
    mutating func rebase(_ base: ResponsePath?) {
        self.base = base
        paths.removeAll(keepingCapacity: true)
    }

    /// Returns the current path; nil for the root.
    mutating func current() -> ResponsePath? {
        while paths.count < segments.count {
            let parent = paths.last ?? base
            switch segments[paths.count] {
            case .field(let field):
                paths.append(ResponsePath(parent: parent, segment: .field(field.takeUnretainedValue())))
            case .index(let index): paths.append(ResponsePath(parent: parent, segment: .index(index)))
            }
        }
        return paths.last ?? base
    }

    /// Returns the path of a field of the current object.
    mutating func appending(_ field: PlannedField) -> ResponsePath {
        ResponsePath(parent: current(), segment: .field(field))
    }
}
