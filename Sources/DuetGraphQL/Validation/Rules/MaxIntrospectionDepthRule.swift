extension ValidationRule {
    /// Requires that an introspection query (specification, section 4) does not nest lists of fields, interfaces,
    /// possible types or input fields to a depth of three. Otherwise, a short document could request a very large
    /// response.
    public static let maxIntrospectionDepth = ValidationRule("MaxIntrospectionDepthRule") { visitor, context in
        let record = IntrospectionRecord(usages: DocumentUsages.shared(in: &visitor, context: context))
        visitor.enterOperation.append { _ in record.begin() }
        visitor.enterFragment.append { _ in record.begin() }
        visitor.enterFragmentSpread.append { _ in record.addSpread() }
        visitor.enterField.append { field in
            switch kind(of: field.name.value) {
            case .root: record.enterRoot(field) { context.reservePlace() }
            case .list: record.enterList()
            case .other: return
            }
        }
        visitor.leaveField.append { field in
            switch kind(of: field.name.value) {
            case .root: record.leaveRoot(field)
            case .list: record.leaveList()
            case .other: return
            }
        }
        visitor.leaveDocument.append {
            for (range, place) in record.rootsThatAreTooDeep() {
                context.report("Maximum introspection depth exceeded", at: [range], place: place)
            }
        }
    }
}

private enum IntrospectionField {
    case root
    case list
    case other
}

/// Returns the kind of field with a name. The length is compared first, because it distinguishes most names.
private func kind(of name: String) -> IntrospectionField {
    switch name.utf8.count {
    case 6: name == "__type" ? .root : name == "fields" ? .list : .other
    case 8: name == "__schema" ? .root : .other
    case 10: name == "interfaces" ? .list : .other
    case 11: name == "inputFields" ? .list : .other
    case 13: name == "possibleTypes" ? .list : .other
    default: .other
    }
}

/// A record of the number of nested lists in each definition, and of the number of lists around each fragment spread.
private final class IntrospectionRecord {
    /// A `__schema` or `__type` field.
    private struct Root {
        let range: SourceRange
        let place: UInt32
        let outerDepth: Int32
        /// The maximum number of nested lists inside the field, without the lists in spread fragments.
        var depth: Int32 = 0
        var spreads: Range<Int>
    }

    /// The lowest depth that is rejected.
    private static let limit: Int32 = 3
    private let usages: DocumentUsages
    private var roots: [Root] = []
    private var openRoot: Int?
    private var depth: Int32 = 0
    /// For each spread, the number of lists around the spread in the definition that contains it.
    private var spreadDepths: [Int32] = []
    /// For each definition, the maximum number of nested lists, without the lists in spread fragments.
    private var unitDepths: [Int32] = []

    init(usages: DocumentUsages) { self.usages = usages }

    func begin() {
        depth = 0
        unitDepths.append(0)
    }

    func addSpread() { spreadDepths.append(depth) }

    func enterRoot(_ field: Field, place: () -> UInt32) {
        guard openRoot == nil else { return }
        openRoot = roots.count
        roots.append(
            Root(
                range: field.range, place: place(), outerDepth: depth,
                spreads: spreadDepths.count..<spreadDepths.count))
    }

    func leaveRoot(_ field: Field) {
        guard let root = openRoot, roots[root].range == field.range else { return }
        roots[root].spreads = roots[root].spreads.lowerBound..<spreadDepths.count
        openRoot = nil
    }

    func enterList() {
        depth += 1
        unitDepths[unitDepths.count - 1] = max(unitDepths[unitDepths.count - 1], depth)
        if let root = openRoot { roots[root].depth = max(roots[root].depth, depth - roots[root].outerDepth) }
    }

    func leaveList() { depth -= 1 }

    func rootsThatAreTooDeep() -> [(SourceRange, UInt32)] {
        guard !roots.isEmpty else { return [] }
        var depths = [Int32?](repeating: nil, count: usages.fragments.count)
        return roots.filter { root in
            root.depth >= Self.limit
                || root.spreads.contains { spread in
                    let inside = spreadDepths[spread] - root.outerDepth
                    return inside + fragmentDepth(usages.spreads[spread].fragment, &depths)
                        >= Self.limit
                }
        }.map { ($0.range, $0.place) }
    }

    /// Returns the maximum number of nested lists in a fragment, including the fragments that it spreads. A spread of a
    /// fragment that is already on the path of the search counts as 0.
    private func fragmentDepth(_ fragment: Int32, _ depths: inout [Int32?]) -> Int32 {
        guard fragment >= 0 else { return 0 }
        if let known = depths[Int(fragment)] { return known }
        depths[Int(fragment)] = 0
        var path: [(fragment: Int, unit: Int, next: Int, depth: Int32)] = []
        func enter(_ fragment: Int) {
            let unit = usages.fragmentUnits[fragment]
            guard unit >= 0 else { return }
            path.append((fragment, unit, usages.units[unit].spreads.lowerBound, unitDepths[unit]))
        }
        enter(Int(fragment))
        while let last = path.indices.last {
            guard path[last].next < usages.units[path[last].unit].spreads.upperBound else {
                let done = path.removeLast()
                depths[done.fragment] = done.depth
                continue
            }
            let spread = path[last].next
            let target = Int(usages.spreads[spread].fragment)
            if target >= 0, depths[target] == nil {
                depths[target] = 0
                enter(target)
                continue
            }
            path[last].next += 1
            if target >= 0 {
                path[last].depth = max(path[last].depth, spreadDepths[spread] + (depths[target] ?? 0))
            }
        }
        return depths[Int(fragment)] ?? 0
    }
}
