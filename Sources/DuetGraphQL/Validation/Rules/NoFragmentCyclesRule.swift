extension ValidationRule {
    /// Requires that fragments do not spread themselves, directly or indirectly (specification, section 5.5.2.2).
    public static let noFragmentCycles = ValidationRule("NoFragmentCyclesRule") { visitor, context in
        let usages = DocumentUsages.shared(in: &visitor, context: context)
        var starts: [(fragment: Int, place: UInt32)] = []
        visitor.enterFragment.append { fragment in
            guard let number = usages.fragmentNumbers[fragment.name.value] else { return }
            starts.append((Int(number), context.reservePlace()))
        }
        visitor.leaveDocument.append {
            var search = FragmentCycleSearch(usages: usages, context: context)
            for start in starts { search.run(from: start.fragment, place: start.place) }
        }
    }
}

/// A depth-first search that reports each spread of a fragment that is already on the path of the search.
private struct FragmentCycleSearch {
    /// A fragment on the path of the search, with its next spread.
    private struct Step {
        let fragment: Int
        var next: Int
        let end: Int
    }

    let usages: DocumentUsages
    let context: ValidationContext
    private var isVisited: [Bool]
    /// The index of each fragment on the path; -1 for a fragment that is not on the path.
    private var pathIndices: [Int]

    init(usages: DocumentUsages, context: ValidationContext) {
        self.usages = usages
        self.context = context
        isVisited = Array(repeating: false, count: usages.fragments.count)
        pathIndices = Array(repeating: -1, count: usages.fragments.count)
    }

    mutating func run(from start: Int, place: UInt32) {
        guard !isVisited[start] else { return }
        var path: [Step] = []
        enter(start, &path)
        while let last = path.indices.last, !context.isAborted {
            guard path[last].next < path[last].end else {
                pathIndices[path.removeLast().fragment] = -1
                continue
            }
            let target = Int(usages.spreads[path[last].next].fragment)
            path[last].next += 1
            guard target >= 0 else { continue }
            if pathIndices[target] >= 0 {
                report(target, path[pathIndices[target]...], place)
            } else if !isVisited[target] {
                enter(target, &path)
            }
        }
    }

    private mutating func enter(_ fragment: Int, _ path: inout [Step]) {
        isVisited[fragment] = true
        let unit = usages.fragmentUnits[fragment]
        guard unit >= 0 else { return }
        pathIndices[fragment] = path.count
        let spreads = usages.units[unit].spreads
        path.append(Step(fragment: fragment, next: spreads.lowerBound, end: spreads.upperBound))
    }

    private func report(_ fragment: Int, _ cycle: ArraySlice<Step>, _ place: UInt32) {
        let via = cycle.dropFirst().map { "\"\(usages.fragments[$0.fragment].name.value)\"" }.joined(separator: ", ")
        context.report(
            "Cannot spread fragment \"\(usages.fragments[fragment].name.value)\" within itself"
                + (via.isEmpty ? "." : " via \(via)."),
            at: cycle.map { usages.spreads[$0.next - 1].range }, place: place)
    }
}
