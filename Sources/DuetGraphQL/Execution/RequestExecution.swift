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
        if planned.definition.operation != .mutation || resolvesRootFieldsTogether {
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
            body: writer.json.buffer, hasData: hasData, errors: graphQLErrors,
            cachePolicy: graphQLErrors.isEmpty ? cachePolicy : nil, extensions: extensions)
    }
}

// MARK: - A single root field

/// The only field of an operation, if the field has a subtree resolver. In a subscription, the field is executed for
/// each event.
///
/// This is a fast path for services whose root fields have subtree resolvers, because most of their requests select one
/// root field. The bytes before and after the value are constant, so the execution needs no ``ResponsePart`` and no
/// ``ResolverScheduler``. The response is the same as without the fast path.
final class SingleSubtreeField: Sendable {
    private let field: PlannedField
    private let resolver: any SubtreeResolver
    private let path: ResponsePath
    /// `{"data":{"key":`
    private let head: ByteBuffer

    /// Creates the field of an operation; nil if the operation has other fields, or if the field has another kind of
    /// resolver.
    init?(_ root: PlannedSelection) {
        guard root.fields.count == 1, root.deferred.isEmpty,
            case .asynchronous(let erased) = root.fields[0].resolution, let resolver = erased.subtreeResolver
        else { return nil }
        field = root.fields[0]
        self.resolver = resolver
        path = ResponsePath(parent: nil, segment: .field(field))
        var head = ByteBuffer()
        head.writeStaticString("{\"data\":{")
        head.writeBytes(field.keyBytes)
        self.head = head
    }

    /// Executes the field.
    /// - Parameter source: The root value; the event in a subscription.
    /// - Returns: The body `{"data":{"key":value}` without the closing brace; nil if `data` is null.
    @inline(__always)
    func execute(
        _ operation: OperationContext, _ source: any Sendable
    ) async -> (body: ByteBuffer?, errors: [ExecutionError]) {
        // The first write of the resolver copies the head into a buffer with the capacity that the resolver reserves.
        var result = await SubtreeCall.resolve(field, source, at: path, resolver, operation, head)
        let errors = SubtreeCall.complete(&result, of: field, at: path, operation, start: head.writerIndex)
        // `take` makes the reference unique, so that the write does not copy the buffer.
        if var body = result.output.take() {
            body.writeStaticString("}")
            return (body, errors)
        }
        if field.output.isNonNull { return (nil, errors) }
        var body = head
        body.writeStaticString("null}")
        return (body, errors)
    }
}

/// The call of a subtree resolver for one field.
enum SubtreeCall {
    /// Returns the result of a subtree resolver for one field. The errors of the result include a thrown error.
    static func resolve(
        _ field: PlannedField, _ source: any Sendable, at path: ResponsePath, _ resolver: any SubtreeResolver,
        _ operation: OperationContext, _ output: ByteBuffer
    ) async -> SubtreeResult {
        do {
            let request = SubtreeRequest(
                source: source, field: field, arguments: try operation.arguments(of: field),
                schema: operation.schema, responsePath: path, output: output)
            return try await resolver.resolve(request, operation)
        } catch {
            return .null(errors: [operation.executionError(error, at: nil).error])
        }
    }

    /// Completes the value of a subtree (CompleteValue). Sets the output to nil if the resolver appended nothing,
    /// because the value is then null.
    /// - Parameter start: The offset of the value in the output.
    /// - Returns: The execution errors.
    static func complete(
        _ result: inout SubtreeResult, of field: PlannedField, at path: ResponsePath, _ operation: OperationContext,
        start: Int
    ) -> [ExecutionError] {
        if let end = result.output?.writerIndex, end <= start { result.output = nil }
        var errors = result.errors.map { error in
            var located = operation.executionError(error, at: path)
            located.error.path = path.elements + (error.path ?? [])
            return located
        }
        if result.output == nil, field.output.isNonNull, errors.isEmpty {
            errors.append(operation.executionError(CompletionError.nonNull(field), at: path))
        }
        return errors
    }
}
