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
            operation = try singleResponseContext(variables, userContext)
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
        do throws(GraphQLErrors) {
            let operation = try singleResponseContext(variables, userContext)
            let root = operation.executeRootFields(rootValue)
            guard root.incompleteFields.isEmpty else {
                throw GraphQLErrors([GraphQLError("GraphQL execution failed to complete synchronously.")])
            }
            if Task.isCancelled { throw GraphQLErrors([GraphQLError("The operation was canceled.")]) }
            return operation.response(root, errors: root.errors, extensions)
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
    /// The context retains the operation. The call consumes the operation, so a caller that does not need the operation
    /// any more (``ExecutableSchema``) passes its reference on instead of retaining the operation a second time.
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

    /// Returns the context of a request that has a single response.
    /// - Throws: Request errors. They include the error for a subscription whose field has a resolver that returns
    ///   events.
    consuming func singleResponseContext(
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
