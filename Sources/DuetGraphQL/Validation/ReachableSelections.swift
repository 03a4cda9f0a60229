/// Visits the selections of an operation and of the fragments that it spreads. Each fragment is visited once. The walk
/// does not recurse, so a document can be nested to any depth.
struct ReachableSelections {
    /// A selection set on the path of the walk.
    private struct OpenSelectionSet {
        let selections: NodeList<Selection>
        var next = 0
        /// The index of the spread that led to the selection set; -1 outside fragments.
        let spread: Int
    }

    private let context: ValidationContext
    /// The spreads that were followed, each with the index of its outer spread.
    private var spreads: [(range: SourceRange, outer: Int)] = []
    private var currentSpread = -1
    private var visitedFragments: Set<String> = []

    init(_ context: ValidationContext) { self.context = context }

    /// The spreads that led to the current selection, starting with the innermost.
    var path: [SourceRange] {
        var path: [SourceRange] = []
        var spread = currentSpread
        while spread >= 0 {
            path.append(spreads[spread].range)
            spread = spreads[spread].outer
        }
        return path
    }

    /// Calls a function with each selection, in the order of execution.
    /// - Parameter visit: A function that returns true to visit the selections inside the selection.
    mutating func forEach(
        in root: SelectionSet, _ visit: (_ selection: Selection, _ walk: ReachableSelections) -> Bool
    ) {
        var open = [OpenSelectionSet(selections: root.selections, spread: -1)]
        while let last = open.indices.last {
            guard open[last].next < open[last].selections.count else {
                open.removeLast()
                continue
            }
            let selection = open[last].selections[open[last].next]
            open[last].next += 1
            currentSpread = open[last].spread
            guard context.spend(1) else { return }
            guard visit(selection, self) else { continue }
            switch selection {
            case .field(let field):
                guard let inner = field.selectionSet else { continue }
                open.append(OpenSelectionSet(selections: inner.selections, spread: currentSpread))
            case .inlineFragment(let fragment):
                open.append(OpenSelectionSet(selections: fragment.selectionSet.selections, spread: currentSpread))
            case .fragmentSpread(let spread):
                guard visitedFragments.insert(spread.name.value).inserted,
                    let fragment = context.fragments[spread.name.value]
                else { continue }
                spreads.append((spread.range, currentSpread))
                open.append(OpenSelectionSet(selections: fragment.selectionSet.selections, spread: spreads.count - 1))
            }
        }
    }
}
