// Planning recurses to the nesting depth of fields, so it must use little stack space. Therefore, classes store the
// state of a selection and of a field during planning on the heap.

extension OperationPlanner {
    /// The selections that become one planned field, because they have the same response name (a *field set*).
    final class FieldSet {
        let responseName: String
        let details: [FieldCollector.FieldDetails]
        /// The usages of `@defer` that defer the field.
        let deferUsages: [DeferUsage]

        init(responseName: String, details: [FieldCollector.FieldDetails]) {
            self.responseName = responseName
            self.details = details
            deferUsages = Self.deferUsages(of: details)
        }

        /// Returns the outermost usages of `@defer` around the field. The result is empty if the field is also selected
        /// without `@defer`.
        private static func deferUsages(of details: [FieldCollector.FieldDetails]) -> [DeferUsage] {
            var usages: [DeferUsage] = []
            for field in details {
                guard let usage = field.deferUsage else { return [] }
                if !usages.contains(where: { $0 === usage }) { usages.append(usage) }
            }
            return usages.filter { usage in
                !usage.ancestors.contains { ancestor in usages.contains { $0 === ancestor } }
            }
        }
    }

    /// A selection during planning.
    final class SelectionDraft {
        private let type: ObjectType
        private let scope: PlanScope
        private let fieldSets: [(responseName: String, details: [FieldCollector.FieldDetails])]
        private var nextIndex = 0
        private var fields: [PlannedField] = []
        private var deferred: [(deferUsages: [DeferUsage], fields: [PlannedField])] = []

        init(_ type: ObjectType, _ collector: FieldCollector, _ scope: PlanScope) {
            self.type = type
            self.scope = scope
            fieldSets = collector.fieldSets
            fields.reserveCapacity(fieldSets.count)
        }

        func next() -> FieldSet? {
            guard nextIndex < fieldSets.count else { return nil }
            nextIndex += 1
            return FieldSet(
                responseName: fieldSets[nextIndex - 1].responseName, details: fieldSets[nextIndex - 1].details)
        }

        func add(_ field: PlannedField, deferUsages: [DeferUsage]) {
            if deferUsages.isEmpty || Self.isSame(deferUsages, scope.deferUsages) {
                fields.append(field)
            } else if let index = deferred.firstIndex(where: { Self.isSame($0.deferUsages, deferUsages) }) {
                deferred[index].fields.append(field)
            } else {
                deferred.append((deferUsages, [field]))
            }
        }

        func finish() -> PlannedSelection {
            PlannedSelection(
                type: type, fields: fields,
                deferred: deferred.map {
                    DeferredFieldSet(
                        deferUsages: $0.deferUsages,
                        selection: PlannedSelection(type: type, fields: $0.fields, deferred: []))
                })
        }

        private static func isSame(_ left: [DeferUsage], _ right: [DeferUsage]) -> Bool {
            left.count == right.count && left.allSatisfy { usage in right.contains { $0 === usage } }
        }
    }

    /// A field during planning.
    final class FieldDraft {
        let field: SchemaField
        let planPosition: PlanPosition
        let resolver: ErasedResolver
        /// The scope of the field's selection sets.
        let subfieldScope: PlanScope
        let selectionSets: [MergedSelectionSet]

        init(
            _ field: SchemaField, _ fieldSet: FieldSet, at position: PlanPosition, resolver: ErasedResolver,
            deliversIncrementally: Bool
        ) {
            self.field = field
            self.planPosition = position
            self.resolver = resolver
            var scope = PlanScope(
                deferUsages: fieldSet.deferUsages, deliversIncrementally: deliversIncrementally,
                planPosition: position)
            // A subtree resolver returns the complete subtree at once, so `@defer` and `@stream` are ignored in it.
            if resolver.subtreeResolver != nil { scope = PlanScope(planPosition: position) }
            subfieldScope = scope
            selectionSets = fieldSet.details.compactMap { details in
                details.field.selectionSet.map {
                    MergedSelectionSet(
                        set: $0, deferUsage: scope.deliversIncrementally ? details.deferUsage : nil)
                }
            }
        }
    }
}
