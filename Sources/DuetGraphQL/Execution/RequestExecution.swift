internal import NIOCore
internal import Synchronization

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
            operation = try executionContext(variables, userContext)
        } catch {
            return GraphQLResponse(requestErrors: error)
        }
        return try await operation.execute(rootValue, extensions).response
    }

    /// Executes the operation without suspension. All resolvers of the operation must be synchronous.
    /// - Returns: The response. If a field has an asynchronous resolver, or if the task is canceled, the response
    ///   contains only a request error.
    package func executeSynchronously(
        variables: ObjectValue, rootValue: any Sendable, userContext: any Sendable, extensions: ObjectValue
    ) -> GraphQLResponse {
        do {
            return try executionContext(variables, userContext).executeSynchronously(rootValue, extensions)
        } catch {
            return GraphQLResponse(requestErrors: error)
        }
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
    ///
    /// The context retains this object. The method is consuming, so a caller that does not use the object afterwards
    /// passes on its reference.
    /// - Throws: Request errors.
    consuming func context(
        _ variables: ObjectValue, _ userContext: any Sendable, deliversIncrementally: Bool = false
    ) throws(GraphQLErrors) -> OperationContext {
        let coerced = try coerce(variables)
        do {
            let plan = try plan(variables: coerced, deliversIncrementally: deliversIncrementally)
            try checkCost(of: plan, coerced)
            return OperationContext(self, variables: coerced, userContext: userContext, plan: plan)
        } catch {
            throw GraphQLErrors([error])
        }
    }

    /// Returns the context of a request that is executed without a response stream.
    /// - Throws: Request errors. They include the error for a subscription whose field has a resolver that returns
    ///   events.
    consuming func executionContext(
        _ variables: ObjectValue, _ userContext: any Sendable, deliversIncrementally: Bool = false
    ) throws(GraphQLErrors) -> OperationContext {
        let operation = try context(variables, userContext, deliversIncrementally: deliversIncrementally)
        if operation.planned.definition.operation == .subscription,
            let field = operation.plan.root.fields.first, case .asynchronous(.events) = field.resolution
        {
            throw GraphQLErrors([
                GraphQLError(
                    "The operation is a subscription, which has many responses. Execute it with \"subscribe\", or over a transport that supports subscriptions.",
                    locations: [operation.document.source.location(of: operation.planned.definition.range)])
            ])
        }
        return operation
    }
}

extension OperationContext {
    /// Executes a query, a mutation or an event of a subscription (ExecuteQuery, ExecuteMutation,
    /// ExecuteSubscriptionEvent).
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

    /// Executes the operation without suspension.
    /// - Throws: Request errors if a field has an asynchronous resolver, or if the task is canceled.
    func executeSynchronously(
        _ rootValue: any Sendable, _ extensions: ObjectValue
    ) throws(GraphQLErrors) -> GraphQLResponse {
        let root = executeRootFields(rootValue)
        guard root.incompleteFields.isEmpty else {
            throw GraphQLErrors([GraphQLError("GraphQL execution failed to complete synchronously.")])
        }
        if Task.isCancelled { throw GraphQLErrors([GraphQLError("The operation was canceled.")]) }
        return response(root, errors: root.errors, extensions)
    }

    /// Executes the root fields (ExecuteRootSelectionSet). Fields with asynchronous resolvers remain incomplete.
    private func executeRootFields(_ rootValue: any Sendable) -> ResponsePart {
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

// MARK: - Responses

extension OperationContext {
    /// Returns a buffer that contains `{"data":`. If all root fields are synchronous, the capacity of the buffer is
    /// sufficient for a response of the previous size. Otherwise the capacity is small, because a subtree resolver
    /// reserves capacity itself.
    func responseBuffer() -> ByteBuffer {
        let isSync = plan.root.fields.allSatisfy(\.isSync)
        var buffer = ByteBuffer()
        buffer.reserveCapacity((isSync ? planned.responseSize.load(ordering: .relaxed) : 0) + 128)
        buffer.writeStaticString("{\"data\":")
        return buffer
    }

    /// Returns the response of a scheduler after the completion of all fields.
    func response(_ scheduler: ResolverScheduler, _ extensions: ObjectValue) -> GraphQLResponse {
        var root = scheduler.takeFirstPart()
        if !root.incompleteFields.isEmpty || root.values[0].isNull {
            var parts = scheduler.parts
            let start = root.values[0].start
            parts[0] = root
            var output = ByteBuffer()
            output.reserveCapacity(parts.reduce(64) { $0 + $1.buffer.readableBytes })
            output.writeImmutableBuffer(root.buffer.getSlice(at: 0, length: start) ?? ByteBuffer())
            var assembler = ResponseAssembler(parts, into: output)
            assembler.append(SerializedValueReference(part: 0, value: 0))
            root.buffer = assembler.output
        }
        return response(root, errors: scheduler.orderedErrors, extensions)
    }

    /// Returns the response of a part without incomplete fields.
    func response(_ root: ResponsePart, errors: [ExecutionError], _ extensions: ObjectValue) -> GraphQLResponse {
        response(root.values[0].isNull ? nil : root.buffer, errors: errors, extensions)
    }

    /// Returns the response of a serialized body.
    /// - Parameter body: `{"data":…`, without the closing brace; nil if `data` is null.
    func response(
        _ body: consuming ByteBuffer?, errors: [ExecutionError], _ extensions: ObjectValue
    ) -> GraphQLResponse {
        let hasData = body != nil
        let buffer = body.take() ?? ByteBuffer(staticString: "{\"data\":null")
        planned.responseSize.store(min(buffer.readableBytes, 1 << 20), ordering: .relaxed)
        var extensions = extensions
        if resolvedSchema.options.includesPlan { extensions["plan"] = .string(plan.description) }
        let graphQLErrors = errors.map(\.graphQLError)
        var writer: ResponseWriter
        if graphQLErrors.isEmpty {
            writer = ResponseWriter(consume buffer)
        } else {
            writer = ResponseWriter()
            writer.begin(errors: graphQLErrors)
            writer.json.write(raw: ",")
            writer.json.write(raw: buffer.readableBytesView.dropFirst())
        }
        writer.end(extensions: extensions)
        return GraphQLResponse(
            body: writer.json.buffer, kind: .execution, hasData: hasData, errors: graphQLErrors,
            cachePolicy: graphQLErrors.isEmpty ? cachePolicy : nil)
    }
}
