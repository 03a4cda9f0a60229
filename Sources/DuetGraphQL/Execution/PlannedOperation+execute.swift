internal import NIOCore

extension PlannedOperation {
    /// Executes the operation (ExecuteRequest; specification, section 6.1).
    /// - Parameters:
    ///   - variables: The request's variables before coercion.
    ///   - rootValue: The Swift value that the resolvers of the root fields get as their source.
    ///   - userContext: The value that the resolvers get as ``FieldContext/userContext``. Its type must be the user
    ///     context type of the resolvers.
    ///   - extensions: The entries of the response's `extensions`.
    /// - Throws: `CancellationError` if the task is canceled. The response contains all other errors.
    package func execute(
        variables: ObjectValue, rootValue: any Sendable = (), userContext: any Sendable = (),
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> GraphQLResponse {
        let operation: OperationContext
        do {
            operation = try context(variables, userContext)
            try checkHasOneResponse(operation)
        } catch {
            return GraphQLResponse(requestErrors: error)
        }
        return try await execute(operation, rootValue, extensions).response
    }

    /// Executes the operation without suspension. All resolvers of the operation must be synchronous.
    /// - Returns: The response. If a field has an asynchronous resolver, or if the task is canceled, the response
    ///   contains only a request error.
    package func executeSynchronously(
        variables: ObjectValue, rootValue: any Sendable, userContext: any Sendable, extensions: ObjectValue
    ) -> GraphQLResponse {
        do throws(GraphQLErrors) {
            let operation = try context(variables, userContext)
            try checkHasOneResponse(operation)
            let root = executeRootFields(operation, rootValue)
            guard root.incompleteFields.isEmpty else {
                throw GraphQLErrors([GraphQLError("GraphQL execution failed to complete synchronously.")])
            }
            if Task.isCancelled { throw GraphQLErrors([GraphQLError("The operation was canceled.")]) }
            return response(root, errors: root.errors, operation, extensions)
        } catch {
            return GraphQLResponse(requestErrors: error)
        }
    }

    /// Checks that the operation has a single response.
    /// - Throws: A request error if the operation is a subscription whose field has a resolver that returns events.
    func checkHasOneResponse(_ operation: OperationContext) throws(GraphQLErrors) {
        guard definition.operation == .subscription, let field = operation.plan.root.fields.first,
            case .asynchronous(.events) = field.resolution
        else { return }
        throw GraphQLErrors([
            GraphQLError(
                "The operation is a subscription, which has many responses. Execute it with \"subscribe\", or over a transport that supports subscriptions.",
                locations: [document.source.location(of: definition.range)])
        ])
    }

    /// Coerces the variables of a request (CoerceVariableValues).
    /// - Throws: Request errors.
    package func coerce(_ variables: ObjectValue) throws(GraphQLErrors) -> ObjectValue {
        try VariableCoercion.coerce(
            definition.variableDefinitions, given: variables, schema: schema, source: document.source,
            maximumErrors: resolvedSchema.options.maximumVariableErrors,
            // Suggestions would disclose names of a schema that clients must not introspect.
            suggestsNames: resolvedSchema.options.isIntrospectionEnabled)
    }

    /// Returns the context of a request, with the coerced variables and the plan for them.
    /// - Throws: Request errors.
    func context(
        _ variables: ObjectValue, _ userContext: any Sendable, deliversIncrementally: Bool = false
    ) throws(GraphQLErrors) -> OperationContext {
        let coerced = try coerce(variables)
        do {
            let plan = try plan(variables: coerced, deliversIncrementally: deliversIncrementally)
            try checkCost(of: plan, coerced)
            return OperationContext(
                schema: resolvedSchema, variables: coerced, userContext: userContext, document: document, plan: plan)
        } catch {
            throw GraphQLErrors([error])
        }
    }

    // MARK: - Root fields

    /// Executes a query or a mutation (ExecuteQuery, ExecuteMutation).
    /// - Returns: The response, and the records for incremental delivery.
    func execute(
        _ operation: OperationContext, _ rootValue: any Sendable, _ extensions: ObjectValue
    ) async throws(CancellationError) -> (response: GraphQLResponse, incrementalData: [IncrementalDataRecord]) {
        if Task.isCancelled { throw CancellationError() }
        if let field = operation.plan.singleSubtreeField {
            var executed = await field.execute(operation, rootValue)
            if Task.isCancelled { throw CancellationError() }
            return (response(executed.body.take(), errors: executed.errors, operation, extensions), [])
        }
        if definition.operation != .mutation {
            let root = executeRootFields(operation, rootValue)
            if Task.isCancelled { throw CancellationError() }
            if root.incompleteFields.isEmpty {
                let incrementalData = root.values[0].isNull ? [] : root.incrementalData
                return (response(root, errors: root.errors, operation, extensions), incrementalData)
            }
            let scheduler = ResolverScheduler(operation)
            scheduler.addFirstPart(root)
            try await scheduler.run()
            let incrementalData = scheduler.takeIncrementalData()
            return (response(scheduler, operation, extensions), incrementalData)
        }
        let scheduler = ResolverScheduler(operation)
        try await executeRootFieldsSerially(operation, rootValue, scheduler)
        if Task.isCancelled { throw CancellationError() }
        let incrementalData = scheduler.takeIncrementalData()
        return (response(scheduler, operation, extensions), incrementalData)
    }

    /// Executes the root fields (ExecuteRootSelectionSet). Fields with asynchronous resolvers remain incomplete.
    private func executeRootFields(_ operation: OperationContext, _ rootValue: any Sendable) -> ResponsePart {
        var executor = FieldExecutor(operation, buffer: responseBuffer(operation))
        executor.beginValue(at: nil)
        let isCompleted = executor.executeCollectedFields(of: operation.plan.root, rootValue)
        executor.endValue(isCompleted: isCompleted)
        return executor.finish()
    }

    /// Executes the root fields serially: each field is complete before the next field is executed
    /// (ExecuteRootSelectionSet).
    private func executeRootFieldsSerially(
        _ operation: OperationContext, _ rootValue: any Sendable, _ scheduler: ResolverScheduler
    ) async throws(CancellationError) {
        var executor = FieldExecutor(operation, buffer: responseBuffer(operation))
        executor.beginValue(at: nil)
        executor.beginObject()
        var isFirst = true
        var isAdded = false
        var isCompleted = true
        for field in operation.plan.root.fields {
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
            executor = FieldExecutor(operation, continuing: scheduler.takeFirstPart())
            guard isCompleted else { break }
        }
        if isCompleted { executor.endObject(operation.plan.root, rootValue) }
        executor.endValue(isCompleted: isCompleted)
        let part = executor.finish()
        if isAdded {
            scheduler.replaceFirstPart(part, incompleteFieldsBefore: part.incompleteFields.count)
        } else {
            scheduler.addFirstPart(part)
        }
    }
}
