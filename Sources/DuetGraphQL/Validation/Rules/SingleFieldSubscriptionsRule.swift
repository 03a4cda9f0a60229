extension ValidationRule {
    /// Requires that a subscription selects one root field (specification, section 5.2.4.1). The field must not be an
    /// introspection field, and must not depend on `@skip` or `@include`.
    public static let singleFieldSubscriptions = ValidationRule("SingleFieldSubscriptionsRule") { visitor, context in
        visitor.enterOperation.append { operation in
            guard operation.operation == .subscription, let root = context.schema.rootType(for: .subscription) else {
                return
            }
            var fields = SubscriptionFields(context: context, rootType: root)
            fields.collect(operation.selectionSet)
            let subject = operation.name.map { "Subscription \"\($0.value)\"" } ?? "Anonymous Subscription"
            if !fields.conditions.isEmpty {
                context.report(
                    "\(subject) must not use `@skip` or `@include` directives in the top level selection.",
                    at: fields.conditions)
            }
            if fields.groups.count > 1 {
                context.report(
                    "\(subject) must select only one top level field.",
                    at: fields.groups.dropFirst().flatMap(\.ranges))
            }
            for group in fields.groups where group.isIntrospection {
                context.report(
                    "\(subject) must not select an introspection top level field.", at: group.ranges)
            }
        }
    }
}

/// Collects the root fields of a subscription by response name (CollectSubscriptionFields).
private struct SubscriptionFields {
    struct Group {
        let isIntrospection: Bool
        var ranges: [SourceRange]
    }

    let context: ValidationContext
    let rootType: ObjectType
    private(set) var groups: [Group] = []
    /// The directives that make selections conditional.
    private(set) var conditions: [SourceRange] = []
    private var groupByKey: [String: Int] = [:]
    private var visitedFragments: Set<String> = []

    init(context: ValidationContext, rootType: ObjectType) {
        self.context = context
        self.rootType = rootType
    }

    mutating func collect(_ root: SelectionSet) {
        var pending = [root.selections[...]]
        while let selection = pending.popNext() {
            guard context.spend(1) else { return }
            let directives = selection.directives.filter { ["skip", "include"].contains($0.name.value) }
            conditions += directives.map(\.range)
            switch selection {
            case .field(let field): add(field)
            case .inlineFragment(let fragment):
                if fragment.typeCondition.map(applies) ?? true { pending.append(fragment.selectionSet.selections[...]) }
            case .fragmentSpread(let spread):
                guard visitedFragments.insert(spread.name.value).inserted,
                    let fragment = context.fragments[spread.name.value], applies(fragment.typeCondition)
                else { continue }
                pending.append(fragment.selectionSet.selections[...])
            }
        }
    }

    private mutating func add(_ field: Field) {
        if let place = groupByKey[field.responseName] {
            groups[place].ranges.append(field.range)
        } else {
            groupByKey[field.responseName] = groups.count
            groups.append(Group(isIntrospection: field.name.value.hasPrefix("__"), ranges: [field.range]))
        }
    }

    /// Returns true if a type condition applies to the root type (DoesFragmentTypeApply).
    private func applies(_ condition: Name) -> Bool {
        if condition.value == rootType.name { return true }
        guard let type = context.schema.type(named: condition.value), type.isAbstract else { return false }
        return context.schema.isSubtype(.object(rootType), of: type)
    }
}

extension [Slice<NodeList<Selection>>] {
    /// Removes and returns the next selection of the innermost list that is not empty.
    fileprivate mutating func popNext() -> Selection? {
        while let last = indices.last {
            if let selection = self[last].popFirst() { return selection }
            removeLast()
        }
        return nil
    }
}
