/// How large an operation is in what does not depend on its variables. All is counted with fragments expanded, as often as they
/// are spread; numbers too large for `Int` are `Int.max`.
public struct OperationExtent: Sendable, Hashable {
    /// How deep fields are nested in one another; what is in `__schema` and `__type` is not counted.
    public var depth = 0
    /// How deep fields are nested in `__schema` and `__type`, these included.
    public var introspectionDepth = 0
    /// The fields.
    public var fields = 0
    /// The fields with an alias, and those whose response name stands twice in the same braces.
    public var aliases = 0
    /// The directives, those on the operation and its variables included.
    public var directives = 0
    /// The fields of the root type, each response name once.
    public var rootFields = 0

    /// The extent of an operation of a valid document.
    public init(of operation: OperationDefinition, in document: Document) {
        var measurement = ExtentMeasurement(document)
        self = measurement.extent(of: operation.selectionSet)
        directives = operation.variableDefinitions.reduce(
            directives.addingClamped(operation.directives.count)
        ) { $0.addingClamped($1.directives.count) }
        rootFields = measurement.responseNames(of: operation.selectionSet)
    }

    fileprivate init() {}
}

/// Measures selection sets, each fragment once.
private struct ExtentMeasurement {
    private let fragments: [String: FragmentDefinition]
    private var known: [String: OperationExtent] = [:]

    init(_ document: Document) {
        fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func extent(of set: SelectionSet) -> OperationExtent {
        // Fragments can lead to one another thousands of times, which must not recurse: the innermost come first.
        var path = [(name: "", spreads: spreads(in: set), set: set)]
        var isOpen: Set<String> = []
        while let last = path.indices.last {
            guard let name = path[last].spreads.popLast() else {
                let done = path.removeLast()
                if path.isEmpty { break }
                var extent = measured(done.set)
                extent.directives = extent.directives.addingClamped(fragments[done.name]?.directives.count ?? 0)
                known[done.name] = extent
                continue
            }
            if known[name] == nil, let fragment = fragments[name], isOpen.insert(name).inserted {
                path.append((name, spreads(in: fragment.selectionSet), fragment.selectionSet))
            }
        }
        return measured(set)
    }

    private func spreads(in set: SelectionSet) -> [String] {
        var names: [String] = []
        var open = [set]
        while let set = open.popLast() {
            for selection in set.selections {
                switch selection {
                case .field(let field): if let set = field.selectionSet { open.append(set) }
                case .inlineFragment(let fragment): open.append(fragment.selectionSet)
                case .fragmentSpread(let spread): names.append(spread.name.value)
                }
            }
        }
        return names
    }

    /// Recurses as deep as braces are nested, which the parser limits.
    private func measured(_ set: SelectionSet) -> OperationExtent {
        var sum = OperationExtent()
        var keys = KeySet()
        for selection in set.selections {
            sum.directives = sum.directives.addingClamped(selection.directives.count)
            switch selection {
            case .field(let field):
                let isNew = keys.insert(field.responseName)
                if !isNew || field.alias != nil { sum.aliases = sum.aliases.addingClamped(1) }
                sum.add(field.selectionSet.map(measured) ?? OperationExtent(), in: field.name.value)
            case .inlineFragment(let fragment): sum.add(measured(fragment.selectionSet))
            case .fragmentSpread(let spread): if let extent = known[spread.name.value] { sum.add(extent) }
            }
        }
        return sum
    }

    /// The number of response names that are selected from the root type, by whichever fragments.
    func responseNames(of set: SelectionSet) -> Int {
        var keys: Set<String> = []
        var visited: Set<String> = []
        var open = [set]
        while let set = open.popLast() {
            for selection in set.selections {
                switch selection {
                case .field(let field): keys.insert(field.responseName)
                case .inlineFragment(let fragment): open.append(fragment.selectionSet)
                case .fragmentSpread(let spread):
                    guard visited.insert(spread.name.value).inserted, let fragment = fragments[spread.name.value]
                    else { continue }
                    open.append(fragment.selectionSet)
                }
            }
        }
        return keys.count
    }
}

/// Response names; the few of most selection sets are quicker compared than hashed.
private struct KeySet {
    private var few: [String] = []
    private var many: Set<String> = []

    /// Whether the key was not there.
    mutating func insert(_ key: String) -> Bool {
        if !many.isEmpty { return many.insert(key).inserted }
        if few.contains(key) { return false }
        few.append(key)
        if few.count > 16 { many = Set(few) }
        return true
    }
}

extension OperationExtent {
    /// Adds what stands beside what is counted already.
    fileprivate mutating func add(_ other: OperationExtent) {
        depth = max(depth, other.depth)
        introspectionDepth = max(introspectionDepth, other.introspectionDepth)
        fields = fields.addingClamped(other.fields)
        aliases = aliases.addingClamped(other.aliases)
        directives = directives.addingClamped(other.directives)
    }

    /// Adds what is selected from a field.
    fileprivate mutating func add(_ other: OperationExtent, in field: String) {
        var other = other
        other.fields = other.fields.addingClamped(1)
        if field == "__schema" || field == "__type" {
            other.introspectionDepth = other.depth.addingClamped(1)
            other.depth = 1
        } else {
            other.depth = other.depth.addingClamped(1)
        }
        add(other)
    }
}

extension Int {
    /// The sum, or the largest number if that is too large.
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
