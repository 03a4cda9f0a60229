internal import NIOCore

extension OperationContext {
    /// Executes a query or a mutation (ExecuteQuery, ExecuteMutation).
    /// - Returns: The response, and the records for incremental delivery.
    func execute(
        _ rootValue: any Sendable, _ extensions: ObjectValue
    ) async throws(CancellationError) -> (response: GraphQLResponse, incrementalData: [IncrementalDataRecord]) {
        if Task.isCancelled { throw CancellationError() }
        if let field = plan.singleSubtreeField {
            var executed = await field.execute(self, rootValue)
            if Task.isCancelled { throw CancellationError() }
            return (response(executed.body.take(), errors: executed.errors, extensions), [])
        }
        if planned.definition.operation != .mutation {
            let root = executeRootFields(rootValue)
            if Task.isCancelled { throw CancellationError() }
            if root.incompleteFields.isEmpty {
                let incrementalData = root.values[0].isNull ? [] : root.incrementalData
                return (response(root, errors: root.errors, extensions), incrementalData)
            }
            let scheduler = ResolverScheduler(self)
            scheduler.addFirstPart(root)
            try await scheduler.run()
            let incrementalData = scheduler.takeIncrementalData()
            return (response(scheduler, extensions), incrementalData)
        }
        let scheduler = ResolverScheduler(self)
        try await executeRootFieldsSerially(rootValue, scheduler)
        if Task.isCancelled { throw CancellationError() }
        let incrementalData = scheduler.takeIncrementalData()
        return (response(scheduler, extensions), incrementalData)
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
    private func executeRootFieldsSerially(
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
