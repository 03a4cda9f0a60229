internal import NIOCore

extension OperationContext {
    /// The root fields, in the order of the response.
    public var rootFields: [PlannedField] { plan.root.fields }

    /// Returns true if the operation has a directive with the name.
    public func hasDirective(_ name: String) -> Bool {
        planned.definition.directives.contains { $0.name.value == name }
    }

    /// True if one call resolves all root fields of a mutation; see ``SubtreeResolver/resolvesTogether(_:)``.
    var resolvesRootFieldsTogether: Bool {
        var common: (any SubtreeResolver)?
        for field in plan.root.fields where !field.isTypeName {
            guard case .asynchronous(let erased) = field.resolution, let resolver = erased.subtreeResolver,
                common == nil || common === resolver
            else { return false }
            common = resolver
        }
        return common?.resolvesTogether(self) ?? false
    }

    /// Executes the root fields (ExecuteRootSelectionSet). Fields with asynchronous resolvers remain incomplete.
    func executeRootFields(_ rootValue: any Sendable) -> ResponsePart {
        var executor = FieldExecutor(self, buffer: responseBuffer())
        executor.beginValue(at: nil)
        let isCompleted = executor.executeCollectedFields(of: plan.root, rootValue)
        executor.endValue(isCompleted: isCompleted)
        return executor.finish()
    }

    /// Executes the root fields serially: each field is complete before the next field is executed
    /// (ExecuteRootSelectionSet).
    func executeRootFieldsSerially(
        _ rootValue: any Sendable, _ scheduler: ResolverScheduler
    ) async throws(CancellationError) {
        var executor = FieldExecutor(self, buffer: responseBuffer())
        executor.beginValue(at: nil)
        executor.beginObject()
        var isFirst = true
        var isAdded = false
        var isCompleted = true
        for field in plan.root.fields {
            if Task.isCancelled { throw CancellationError() }
            let count = executor.incompleteFields.count
            isCompleted = executor.executeField(field, of: rootValue, isFirst: isFirst)
            isFirst = false
            guard isCompleted else { break }
            guard executor.incompleteFields.count > count else { continue }
            let part = executor.finish()
            if isAdded {
                scheduler.replaceFirstPart(part, incompleteFieldsBefore: count)
            } else {
                scheduler.addFirstPart(part)
            }
            isAdded = true
            try await scheduler.run()
            isCompleted = !scheduler.isNull(firstPartValue: 0)
            executor = FieldExecutor(self, continuing: scheduler.takeFirstPart())
            guard isCompleted else { break }
        }
        if isCompleted { executor.endObject(plan.root, rootValue) }
        executor.endValue(isCompleted: isCompleted)
        let part = executor.finish()
        if isAdded {
            scheduler.replaceFirstPart(part, incompleteFieldsBefore: part.incompleteFields.count)
        } else {
            scheduler.addFirstPart(part)
        }
    }
}
