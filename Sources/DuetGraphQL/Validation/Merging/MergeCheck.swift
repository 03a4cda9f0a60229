/// Checks that the selection sets of a document can be merged (FieldsInSetCanMerge). Unlike the algorithm of the
/// specification, the check compares sets of fields, not all pairs.
///
/// For each response name, one field is compared with all other fields. This is sufficient, because the conditions for
/// merging two fields without `@stream` are an equivalence relation. Then the selection sets of these fields are merged
/// and checked in the same way. Each combination of selection sets is checked once. ``ValidationContext/spend(_:)``
/// rejects a document that needs too much work.
struct MergeCheck {
    /// Two fields that cannot be merged.
    struct ConflictingFields {
        let left: Int32
        let right: Int32
        /// True if only the shapes of the fields' values must match.
        let isShapeOnly: Bool
    }

    /// Selection sets that are merged.
    private struct MergeTask: Hashable {
        let selectionSets: [Int32]
        /// True if the fields can apply to the same object. If false, only the shapes of the fields' values must match.
        let applyTogether: Bool
    }

    /// Fields with the same response name, linked by ``nextInGroup``.
    private struct Group {
        let first: Int32
        var last: Int32
        var count = 1
    }

    private let table: SelectionTable
    private let context: ValidationContext
    private var comparison: FieldComparison
    /// The tasks that consist of a single selection set, which is the usual case.
    private var singles: [(selectionSet: Int32, applyTogether: Bool)] = []
    private var tasks: [MergeTask] = []
    private var knownTasks: Set<MergeTask> = []
    /// For each selection set: 1 if a check of its shape alone was scheduled, 2 if a complete check was scheduled,
    /// otherwise 0.
    private var looked: [UInt8]
    private var generation: Int32 = 0
    private var visitedFragments: [Int32]
    /// For each selection set, the fragment that it belongs to; -1 if it is not the selection set of a fragment.
    private var fragmentOfSet: [Int32]
    private var groups: [Group] = []
    /// For each response name, its group. An entry is valid only if its generation is the current ``generation``.
    private var groupOfKey: [(generation: Int32, group: Int32)]
    private var nextInGroup: [Int32]
    private var members: [Int32] = []
    private var pending: [Int32] = []
    private var conflict: ConflictingFields?

    init(table: SelectionTable, context: ValidationContext) {
        self.table = table
        self.context = context
        comparison = FieldComparison(table: table, schema: context.schema)
        looked = Array(repeating: 0, count: table.selectionSets.count)
        visitedFragments = Array(repeating: 0, count: table.fragments.count)
        fragmentOfSet = Array(repeating: -1, count: table.selectionSets.count)
        for (fragment, set) in table.fragments.enumerated() where set >= 0 {
            fragmentOfSet[Int(set)] = Int32(fragment)
        }
        groupOfKey = Array(repeating: (0, 0), count: table.names.count)
        nextInGroup = Array(repeating: -1, count: table.fields.count)
    }

    /// Returns a conflict, if there is one and the work is within the limit.
    mutating func firstConflict() -> ConflictingFields? {
        for operation in table.operations where !run(operation) { return conflict }
        // Fragments that no operation reaches are checked separately. Fragments that are not spread anywhere are
        // checked first, because their check includes the fragments that they spread.
        for isSpread in [false, true] {
            for (fragment, selectionSet) in table.fragments.enumerated()
            where selectionSet >= 0 && table.isSpread[fragment] == isSpread && visitedFragments[fragment] == 0 {
                if !run(selectionSet) { return conflict }
            }
        }
        return nil
    }

    private mutating func run(_ root: Int32) -> Bool {
        add([root], applyTogether: true)
        while conflict == nil {
            if let single = singles.popLast() {
                guard merge([single.selectionSet], single.applyTogether) else { return false }
            } else if let task = tasks.popLast() {
                guard merge(task.selectionSets, task.applyTogether) else { return false }
            } else {
                return true
            }
        }
        return false
    }

    private mutating func add(_ selectionSets: [Int32], applyTogether: Bool) {
        if selectionSets.count == 1 {
            let set = Int(selectionSets[0])
            let level: UInt8 = applyTogether ? 2 : 1
            guard looked[set] < level else { return }
            looked[set] = level
            singles.append((selectionSets[0], applyTogether))
        } else if !selectionSets.isEmpty, context.spend(selectionSets.count) {
            let task = MergeTask(selectionSets: selectionSets.sorted(), applyTogether: applyTogether)
            if knownTasks.insert(task).inserted { tasks.append(task) }
        }
    }
}

// MARK: - Merging

extension MergeCheck {
    /// Checks the fields of selection sets together.
    /// - Returns: True if the check continues.
    private mutating func merge(_ selectionSets: [Int32], _ applyTogether: Bool) -> Bool {
        guard collect(selectionSets) else { return false }
        for group in groups {
            if group.count == 1 {
                let set = table.fields[Int(group.first)].selectionSet
                if set >= 0 { add(set, applyTogether) }
            } else {
                readMembers(of: group)
                guard compare(applyTogether) else { return false }
            }
        }
        return true
    }

    private mutating func add(_ set: Int32, _ applyTogether: Bool) {
        let level: UInt8 = applyTogether ? 2 : 1
        guard looked[Int(set)] < level else { return }
        looked[Int(set)] = level
        singles.append((set, applyTogether))
    }

    /// Groups the fields of selection sets and their fragments by response name (CollectFields).
    private mutating func collect(_ selectionSets: [Int32]) -> Bool {
        generation += 1
        groups.removeAll(keepingCapacity: true)
        pending.removeAll(keepingCapacity: true)
        pending.append(contentsOf: selectionSets)
        for set in selectionSets where fragmentOfSet[Int(set)] >= 0 {
            // A fragment in a cycle must not add its own selection set again.
            visitedFragments[Int(fragmentOfSet[Int(set)])] = generation
        }
        var work = 0
        while let set = pending.popLast() {
            var position = table.selectionSets[Int(set)].first
            while position >= 0 {
                let selection = table.selections[Int(position)]
                position = selection.next
                work += 1
                switch selection.kind {
                case .field: addToGroup(selection.number)
                case .inlineFragment: if selection.number >= 0 { pending.append(selection.number) }
                case .spread:
                    let fragment = Int(selection.number)
                    guard visitedFragments[fragment] != generation else { continue }
                    visitedFragments[fragment] = generation
                    if table.fragments[fragment] >= 0 { pending.append(table.fragments[fragment]) }
                }
            }
        }
        return context.spend(work + 1)
    }

    private mutating func addToGroup(_ field: Int32) {
        let key = Int(table.fields[Int(field)].key)
        nextInGroup[Int(field)] = -1
        if groupOfKey[key].generation == generation {
            let group = Int(groupOfKey[key].group)
            nextInGroup[Int(groups[group].last)] = field
            groups[group].last = field
            groups[group].count += 1
        } else {
            groupOfKey[key] = (generation, Int32(groups.count))
            groups.append(Group(first: field, last: field))
        }
    }

    private mutating func readMembers(of group: Group) {
        members.removeAll(keepingCapacity: true)
        var field = group.first
        while field >= 0 {
            members.append(field)
            field = nextInGroup[Int(field)]
        }
    }

    /// Compares the fields of a group, and schedules the check of their selection sets.
    private mutating func compare(_ applyTogether: Bool) -> Bool {
        // All fields are compared with a field whose type is known. Other rules report fields with unknown types.
        if let first = members.first(where: { table.types[Int($0)] != nil }) {
            for field in members where !comparison.haveSameShape(first, field) {
                return found(first, field, isShapeOnly: !applyTogether)
            }
        }
        if let streamed = members.first(where: { table.fields[Int($0)].isStreamed }),
            let other = members.first(where: { $0 != streamed })
        {
            return found(streamed, other, isShapeOnly: !applyTogether)
        }
        guard applyTogether else {
            add(selectionSets(of: members), applyTogether: false)
            return true
        }
        let partitions = partitions()
        for partition in partitions {
            for field in partition.dropFirst() {
                if table.fields[Int(field)].name != table.fields[Int(partition[0])].name
                    || !comparison.haveSameArguments(partition[0], field)
                {
                    return found(partition[0], field, isShapeOnly: false)
                }
            }
            guard context.spend(partition.count) else { return false }
            add(selectionSets(of: partition), applyTogether: true)
        }
        if partitions.count > 1 { add(selectionSets(of: members), applyTogether: false) }
        return true
    }

    private mutating func found(_ left: Int32, _ right: Int32, isShapeOnly: Bool) -> Bool {
        conflict = ConflictingFields(left: left, right: right, isShapeOnly: isShapeOnly)
        return false
    }

    private func selectionSets(of fields: [Int32]) -> [Int32] {
        fields.compactMap { field in
            let set = table.fields[Int(field)].selectionSet
            return set >= 0 ? set : nil
        }
    }

    /// Returns the largest sets of fields of a group that can apply to the same object: for each object type, the
    /// fields that are selected from this type, and all fields that are selected from interfaces and unions.
    private func partitions() -> [[Int32]] {
        var shared: [Int32] = []
        var byObject: [[Int32]] = []
        var indices: [Int32: Int] = [:]
        for field in members {
            let record = table.fields[Int(field)]
            guard record.isParentObject else {
                shared.append(field)
                continue
            }
            if let index = indices[record.parentType] {
                byObject[index].append(field)
            } else {
                indices[record.parentType] = byObject.count
                byObject.append([field])
            }
        }
        if byObject.count <= 1 { return [members] }
        guard context.spend(shared.count * byObject.count) else { return [] }
        return shared.isEmpty ? byObject : byObject.map { shared + $0 }
    }
}
