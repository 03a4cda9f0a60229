/// The size of an operation, in numbers that do not depend on variables, such as the depth. Fragments are expanded: the
/// content of a fragment counts once for each spread. A number that exceeds the range of `Int` is `Int.max`.
public struct OperationExtent: Sendable, Hashable {
    /// The maximum nesting depth of fields, without the fields inside `__schema` and `__type`.
    public var depth = 0
    /// The maximum nesting depth of fields inside `__schema` and `__type`. These two fields count as the first level.
    public var introspectionDepth = 0
    /// The number of fields.
    public var fields = 0
    /// The number of fields that have an alias, or the response name of an earlier field in the same selection set.
    public var aliases = 0
    /// The number of directives, including those on the operation and its variables.
    public var directives = 0
    /// The number of distinct response names on the root type.
    public var rootFields = 0

    /// Measures an operation of a valid document.
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

/// Measures selection sets. Each fragment is measured once.
private struct ExtentMeasurement {
    private let fragments: [String: FragmentDefinition]
    private var known: [String: OperationExtent] = [:]

    init(_ document: Document) {
        fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func extent(of set: SelectionSet) -> OperationExtent {
        // Fragments can form chains of thousands of spreads. An explicit stack replaces recursion, and the innermost
        // fragments are measured first.
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

    /// Measures a selection set. The depth of the recursion is the nesting depth of braces, which the parser limits.
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

    /// Returns the number of distinct response names on the root type, including those in fragments.
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

/// A set of response names. Most selection sets have few names, for which comparisons are faster than hashing.
private struct KeySet {
    private var few: [String] = []
    private var many: Set<String> = []

    /// Inserts a key, and returns true if it is new.
    mutating func insert(_ key: String) -> Bool {
        if !many.isEmpty { return many.insert(key).inserted }
        if few.contains(key) { return false }
        few.append(key)
        if few.count > 16 { many = Set(few) }
        return true
    }
}

extension OperationExtent {
    /// Adds the extent of a further selection of a selection set.
    fileprivate mutating func add(_ other: OperationExtent) {
        depth = max(depth, other.depth)
        introspectionDepth = max(introspectionDepth, other.introspectionDepth)
        fields = fields.addingClamped(other.fields)
        aliases = aliases.addingClamped(other.aliases)
        directives = directives.addingClamped(other.directives)
    }

    /// Adds a field and the extent of its selection set.
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
    /// Returns the sum, or the largest integer if the sum overflows.
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
