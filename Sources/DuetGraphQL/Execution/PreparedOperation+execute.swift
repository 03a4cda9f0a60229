public import DuetJSON
internal import NIOCore
internal import Synchronization

extension PreparedOperation {
    /// Executes the operation (ExecuteRequest; specification, section 6.1).
    /// - Parameters:
    ///   - variables: as the request gives them.
    ///   - rootValue: the source of the root type's fields.
    ///   - userContext: what the resolvers are given besides.
    /// - Throws: `CancellationError` if the task is cancelled; all else is in the response.
    public func execute(
        variables: ObjectValue = [:], rootValue: any Sendable = (), userContext: any Sendable = (),
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> GraphQLResponse {
        let operation: OperationContext
        do {
            operation = try context(variables, userContext)
        } catch {
            return GraphQLResponse(requestErrors: error)
        }
        return try await execute(operation, rootValue, extensions).response
    }

    /// Executes the operation, and leaves for later what `@defer` and `@stream` say.
    public func executeIncrementally(
        variables: ObjectValue = [:], rootValue: any Sendable = (), userContext: any Sendable = (),
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> IncrementalResponse {
        let operation: OperationContext
        do {
            operation = try context(variables, userContext, deliversIncrementally: true)
        } catch {
            return .single(GraphQLResponse(requestErrors: error))
        }
        var (first, records) = try await execute(operation, rootValue, extensions)
        if records.isEmpty { return .single(first) }
        // It is of a part alone, and what follows may have errors.
        first.cachePolicy = nil
        var delivery = IncrementalDelivery()
        delivery.add(records)
        var writer = ResponseWriter(first.body)
        writer.json.buffer.moveWriterIndex(to: writer.json.buffer.writerIndex - 1)
        writer.json.write(raw: ",")
        delivery.writePending(&writer)
        writer.json.write(raw: "\"hasNext\":true}")
        first.body = writer.json.buffer
        let (stream, continuation) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        let task = Task { [delivery] in
            do {
                try await Self.deliver(delivery, operation) { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return .parts(first: first, next: stream)
    }

    /// Executes what was put off, and gives a part for each job that is done.
    private static func deliver(
        _ delivery: IncrementalDelivery, _ operation: OperationContext, _ send: (ByteBuffer) -> Void
    ) async throws {
        var delivery = delivery
        try await withThrowingTaskGroup(of: DeferredJob.Outcome.self) { group in
            while true {
                for job in delivery.takeJobs() {
                    group.addTask { try await job.perform(operation) }
                }
                guard let outcome = try await group.next() else { return }
                send(delivery.part(for: outcome))
            }
        }
    }

    /// Executes an operation all of whose resolvers answer at once, without any suspension.
    /// - Returns: a request error if there is a field whose resolver does not.
    public func executeSynchronously(
        variables: ObjectValue = [:], rootValue: any Sendable = (), userContext: any Sendable = (),
        extensions: ObjectValue = [:]
    ) -> GraphQLResponse {
        do throws(GraphQLErrors) {
            let operation = try context(variables, userContext)
            let root = writeRoot(operation, rootValue)
            guard root.incompleteFields.isEmpty else {
                throw GraphQLErrors([GraphQLError("GraphQL execution failed to complete synchronously.")])
            }
            if Task.isCancelled { throw GraphQLErrors([GraphQLError("The operation was cancelled.")]) }
            return finish(root, errors: root.errors, operation, extensions)
        } catch {
            return GraphQLResponse(requestErrors: error)
        }
    }

    func execute(
        _ operation: OperationContext, _ rootValue: any Sendable, _ extensions: ObjectValue
    ) async throws(CancellationError) -> (response: GraphQLResponse, deferred: [IncrementalDataRecord]) {
        if Task.isCancelled { throw CancellationError() }
        if let subtree = operation.plan.singleSubtreeField {
            var executed = await subtree.execute(operation, rootValue)
            if Task.isCancelled { throw CancellationError() }
            return (finish(executed.body.take(), errors: executed.errors, operation, extensions), [])
        }
        if definition.operation != .mutation {
            let root = writeRoot(operation, rootValue)
            if Task.isCancelled { throw CancellationError() }
            if root.incompleteFields.isEmpty {
                let deferred = root.values[0].isNull ? [] : root.incrementalData
                return (finish(root, errors: root.errors, operation, extensions), deferred)
            }
            let scheduler = ResolverScheduler(operation)
            scheduler.addFirstPart(root)
            try await scheduler.run()
            let deferred = scheduler.takeIncrementalData()
            return (finish(scheduler, operation, extensions), deferred)
        }
        let scheduler = ResolverScheduler(operation)
        try await executeSerially(operation, rootValue, scheduler)
        if Task.isCancelled { throw CancellationError() }
        let deferred = scheduler.takeIncrementalData()
        return (finish(scheduler, operation, extensions), deferred)
    }

    /// Executes the operation with variables as a JSON text says them.
    public func execute(
        variables: JSONObject, rootValue: any Sendable = (), userContext: any Sendable = (),
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> GraphQLResponse {
        try await execute(
            variables: ObjectValue(variables), rootValue: rootValue, userContext: userContext, extensions: extensions)
    }

    // MARK: - Beginning

    func context(
        _ variables: ObjectValue, _ userContext: any Sendable, deliversIncrementally: Bool = false
    ) throws(GraphQLErrors) -> OperationContext {
        let coerced = try VariableCoercion.coerce(
            definition.variableDefinitions, given: variables, schema: schema.schema, source: document.source,
            maximumErrors: schema.options.maximumVariableErrors)
        do {
            let plan = try plan(variables: coerced, deliversIncrementally: deliversIncrementally)
            try checkCost(of: plan, coerced)
            return OperationContext(
                schema: schema, variables: coerced, userContext: userContext, document: document, plan: plan)
        } catch {
            throw GraphQLErrors([error])
        }
    }

    /// `{"data":`, with room for as much as the last response had; but who writes a subtree makes their own room.
    private func begin(_ operation: OperationContext) -> ByteBuffer {
        let isSync = operation.plan.root.fields.allSatisfy(\.isSync)
        var buffer = ByteBuffer()
        buffer.reserveCapacity((isSync ? responseSize.load(ordering: .relaxed) : 0) + 128)
        buffer.writeStaticString("{\"data\":")
        return buffer
    }

    func writeRoot(_ operation: OperationContext, _ rootValue: any Sendable) -> ResponsePart {
        var executor = FieldExecutor(operation, buffer: begin(operation))
        executor.beginValue(at: nil)
        let isCompleted = executor.executeFields(of: operation.plan.root, rootValue)
        executor.endValue(isCompleted: isCompleted)
        return executor.finish()
    }

    /// ExecuteRootSelectionSet in serial: each field is complete before the next begins.
    func executeSerially(
        _ operation: OperationContext, _ rootValue: any Sendable, _ scheduler: ResolverScheduler
    ) async throws(CancellationError) {
        var executor = FieldExecutor(operation, buffer: begin(operation))
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

    // MARK: - Ending

    /// The response of an operation whose holes are filled.
    func finish(
        _ scheduler: ResolverScheduler, _ operation: OperationContext, _ extensions: ObjectValue
    ) -> GraphQLResponse {
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
        return finish(root, errors: scheduler.orderedErrors, operation, extensions)
    }

    private func finish(
        _ root: ResponsePart, errors: [ExecutionError], _ operation: OperationContext, _ extensions: ObjectValue
    ) -> GraphQLResponse {
        finish(root.values[0].isNull ? nil : root.buffer, errors: errors, operation, extensions)
    }

    /// - Parameter body: `{"data":…`; nil if `data` is null.
    private func finish(
        _ body: consuming ByteBuffer?, errors: [ExecutionError], _ operation: OperationContext,
        _ extensions: ObjectValue
    ) -> GraphQLResponse {
        let hasData = body != nil
        let buffer = body.take() ?? ByteBuffer(staticString: "{\"data\":null")
        responseSize.store(min(buffer.readableBytes, 1 << 20), ordering: .relaxed)
        var extensions = extensions
        if schema.options.includesPlan { extensions["plan"] = .string(operation.plan.description) }
        let located = errors.map(\.graphQLError)
        var writer: ResponseWriter
        if located.isEmpty {
            writer = ResponseWriter(consume buffer)
        } else {
            writer = ResponseWriter()
            writer.begin(errors: located)
            writer.json.write(raw: ",")
            writer.json.write(raw: buffer.readableBytesView.dropFirst())
        }
        writer.end(extensions: extensions)
        return GraphQLResponse(
            body: writer.json.buffer, kind: .execution, hasData: hasData, errors: located,
            cachePolicy: located.isEmpty ? operation.cachePolicy : nil)
    }
}
