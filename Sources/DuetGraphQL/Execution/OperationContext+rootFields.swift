internal import NIOCore

extension OperationContext {
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
