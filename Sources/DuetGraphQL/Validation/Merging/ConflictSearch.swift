/// Finds the fields that cannot be merged, and the reasons. The search compares pairs of fields, according to the
/// specification (FieldsInSetCanMerge, SameResponseShape). The work is limited, so the search may report only some of
/// the conflicts of a large document.
struct ConflictSearch {
    /// Two fields that cannot be merged, with their conflicting nested fields, if any.
    struct Conflict {
        let key: Int32
        let reason: Reason
        var left: [Int32]
        var right: [Int32]
    }

    indirect enum Reason {
        case message(String)
        case subfields([(key: Int32, reason: Reason)])
    }

    /// The fields of a selection set and of its inline fragments, by response name, and the fragments that are spread
    /// there.
    private final class Collected {
        var fields: [(key: Int32, fields: [Int32])] = []
        var indices: [Int32: Int] = [:]
        var fragments: [Int32] = []
    }

    /// A pair that was compared: two fragments, or a selection set and a fragment. Fields are *mutually exclusive* if
    /// they are selected from different object types. A comparison of fields that are not mutually exclusive includes
    /// the conditions for mutually exclusive fields. After such a comparison, the pair is not compared again.
    private struct Pair: Hashable {
        let left: Int32
        let right: Int32
    }

    private let table: SelectionTable
    private let context: ValidationContext
    private var comparison: FieldComparison
    private var collected: [Collected?]
    private var comparedWithFragments: [Pair: Bool] = [:]
    private var comparedFragments: [Pair: Bool] = [:]
    private var remainingSteps = 300_000
    private var remainingConflicts = 2_000
    private var depth = 0
    /// The maximum depth of recursive comparisons. It limits the use of the stack.
    private static let deepest = 64

    init(table: SelectionTable, context: ValidationContext) {
        self.table = table
        self.context = context
        comparison = FieldComparison(table: table, schema: context.schema)
        collected = Array(repeating: nil, count: table.selectionSets.count)
    }

    /// Reports the conflicts.
    /// - Returns: The number of reported conflicts.
    mutating func reportConflicts() -> Int {
        var count = 0
        for set in table.selectionSets.indices where !context.isAborted && mayGoOn {
            for conflict in conflicts(within: Int32(set)) {
                report(conflict, place: table.selectionSets[set].place)
                count += 1
            }
        }
        return count
    }

    /// Reports a conflict that ``MergeCheck`` found, without conflicts of nested fields.
    mutating func report(_ found: MergeCheck.ConflictingFields) {
        depth = Self.deepest
        guard let conflict = conflict(found.left, found.right, exclusive: found.isShapeOnly) else { return }
        report(conflict, place: nil)
    }

    private func report(_ conflict: Conflict, place: UInt32?) {
        var text = "Fields \"\(table.names[Int(conflict.key)])\" conflict because "
        append(conflict.reason, to: &text)
        text += ". Use different aliases on the fields to fetch both if this was intentional."
        context.report(
            text, at: (conflict.left + conflict.right).map { table.fields[Int($0)].range }, place: place)
    }

    private func append(_ reason: Reason, to text: inout String) {
        switch reason {
        case .message(let message): text += message
        case .subfields(let reasons):
            for (index, (key, reason)) in reasons.enumerated() where text.utf8.count <= ValidationContext.longestMessage
            {
                text += (index > 0 ? " and " : "") + "subfields \"\(table.names[Int(key)])\" conflict because "
                append(reason, to: &text)
            }
        }
    }

    private var mayGoOn: Bool { remainingSteps > 0 && remainingConflicts > 0 }
}

// MARK: - Pairs of selection sets

extension ConflictSearch {
    private mutating func conflicts(within set: Int32) -> [Conflict] {
        var conflicts: [Conflict] = []
        let collected = collect(set)
        for (_, fields) in collected.fields where fields.count > 1 {
            for (index, left) in fields.enumerated() {
                for right in fields[(index + 1)...] {
                    guard mayGoOn else { return conflicts }
                    if let conflict = conflict(left, right, exclusive: false) { conflicts.append(conflict) }
                }
            }
        }
        for (index, fragment) in collected.fragments.enumerated() {
            compare(set, withFragment: fragment, exclusive: false, &conflicts)
            for other in collected.fragments[(index + 1)...] {
                compare(fragment: fragment, other, exclusive: false, &conflicts)
            }
        }
        return conflicts
    }

    private mutating func compare(_ left: Int32, _ right: Int32, exclusive: Bool, _ conflicts: inout [Conflict]) {
        let rightFields = collect(right)
        for (key, leftGroup) in collect(left).fields {
            remainingSteps -= 1
            guard let index = rightFields.indices[key] else { continue }
            for leftField in leftGroup {
                for rightField in rightFields.fields[index].fields {
                    guard mayGoOn else { return }
                    if let conflict = conflict(leftField, rightField, exclusive: exclusive) {
                        conflicts.append(conflict)
                    }
                }
            }
        }
    }

    /// Compares the fields of a selection set, without the fields of its spread fragments, with the fields of a
    /// fragment and of all fragments that this fragment spreads.
    private mutating func compare(
        _ set: Int32, withFragment first: Int32, exclusive: Bool, _ conflicts: inout [Conflict]
    ) {
        var pending = [first]
        while let fragment = pending.popLast(), mayGoOn {
            remainingSteps -= 1
            guard mark(&comparedWithFragments, Pair(left: set, right: fragment), exclusive) else { continue }
            let other = table.fragments[Int(fragment)]
            guard other >= 0, other != set else { continue }
            compare(set, other, exclusive: exclusive, &conflicts)
            pending += collect(other).fragments.reversed()
        }
    }

    /// Compares the fields of two fragments, including the fields of the fragments that they spread.
    private mutating func compare(
        fragment first: Int32, _ second: Int32, exclusive: Bool, _ conflicts: inout [Conflict]
    ) {
        var pending = [(first, second)]
        while let (left, right) = pending.popLast(), mayGoOn {
            remainingSteps -= 1
            let pair = Pair(left: min(left, right), right: max(left, right))
            guard left != right, mark(&comparedFragments, pair, exclusive) else { continue }
            let leftSet = table.fragments[Int(left)]
            let rightSet = table.fragments[Int(right)]
            guard leftSet >= 0, rightSet >= 0 else { continue }
            compare(leftSet, rightSet, exclusive: exclusive, &conflicts)
            let inLeft = collect(leftSet).fragments
            let inRight = collect(rightSet).fragments
            remainingSteps -= inLeft.count + inRight.count
            pending += inLeft.reversed().map { ($0, right) }
            pending += inRight.reversed().map { (left, $0) }
        }
    }

    private func mark(_ compared: inout [Pair: Bool], _ pair: Pair, _ exclusive: Bool) -> Bool {
        if let known = compared[pair], exclusive || !known { return false }
        compared[pair] = exclusive
        return true
    }

    private mutating func collect(_ set: Int32) -> Collected {
        if let known = collected[Int(set)] { return known }
        let result = Collected()
        var seen: Set<Int32> = []
        var positions = [table.selectionSets[Int(set)].first]
        while let position = positions.popLast() {
            guard position >= 0 else { continue }
            remainingSteps -= 1
            let selection = table.selections[Int(position)]
            positions.append(selection.next)
            switch selection.kind {
            case .field:
                let key = table.fields[Int(selection.number)].key
                if let index = result.indices[key] {
                    result.fields[index].fields.append(selection.number)
                } else {
                    result.indices[key] = result.fields.count
                    result.fields.append((key, [selection.number]))
                }
            case .inlineFragment:
                if selection.number >= 0 { positions.append(table.selectionSets[Int(selection.number)].first) }
            case .spread: if seen.insert(selection.number).inserted { result.fragments.append(selection.number) }
            }
        }
        collected[Int(set)] = result
        return result
    }
}

// MARK: - Pairs of fields

extension ConflictSearch {
    private mutating func conflict(_ left: Int32, _ right: Int32, exclusive: Bool) -> Conflict? {
        remainingSteps -= 1
        let leftField = table.fields[Int(left)]
        let rightField = table.fields[Int(right)]
        let exclusive =
            exclusive
            || leftField.parentType != rightField.parentType && leftField.isParentObject && rightField.isParentObject
        if !exclusive {
            if leftField.name != rightField.name {
                let names = [leftField.name, rightField.name].map { "\"\(table.names[Int($0)])\"" }
                return found(left, right, "\(names[0]) and \(names[1]) are different fields")
            }
            if !comparison.haveSameArguments(left, right) {
                return found(left, right, "they have differing arguments")
            }
        }
        if leftField.isStreamed || rightField.isStreamed {
            return found(left, right, "they have overlapping stream directives")
        }
        if !comparison.haveSameShape(left, right), let leftType = table.types[Int(left)],
            let rightType = table.types[Int(right)]
        {
            return found(left, right, "they return conflicting types \"\(leftType)\" and \"\(rightType)\"")
        }
        guard leftField.selectionSet >= 0, rightField.selectionSet >= 0, depth < Self.deepest else { return nil }
        depth += 1
        defer { depth -= 1 }
        let inside = conflicts(between: leftField.selectionSet, rightField.selectionSet, exclusive: exclusive)
        if inside.isEmpty { return nil }
        return Conflict(
            key: leftField.key, reason: .subfields(inside.map { ($0.key, $0.reason) }),
            left: [left] + inside.flatMap(\.left), right: [right] + inside.flatMap(\.right))
    }

    private mutating func found(_ left: Int32, _ right: Int32, _ reason: String) -> Conflict {
        remainingConflicts -= 1
        return Conflict(
            key: table.fields[Int(left)].key, reason: .message(reason), left: [left], right: [right])
    }

    private mutating func conflicts(between left: Int32, _ right: Int32, exclusive: Bool) -> [Conflict] {
        var conflicts: [Conflict] = []
        compare(left, right, exclusive: exclusive, &conflicts)
        let inLeft = collect(left).fragments
        let inRight = collect(right).fragments
        for fragment in inRight { compare(left, withFragment: fragment, exclusive: exclusive, &conflicts) }
        for fragment in inLeft { compare(right, withFragment: fragment, exclusive: exclusive, &conflicts) }
        for leftFragment in inLeft {
            for rightFragment in inRight where mayGoOn {
                compare(fragment: leftFragment, rightFragment, exclusive: exclusive, &conflicts)
            }
        }
        return conflicts
    }
}
