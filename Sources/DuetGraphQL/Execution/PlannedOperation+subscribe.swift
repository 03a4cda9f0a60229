/// The result of ``ExecutableSchema/subscribe(_:operationName:variables:rootValue:userContext:)``.
public enum SubscriptionResponse: Sendable {
    /// A response with request errors, or with the error of the resolver that returns the source stream.
    case failed(GraphQLResponse)
    /// The response stream.
    case responses(SubscriptionResponses)
}

/// The response stream of a subscription (MapSourceToResponseEvent). An event is executed when the consumer reads its
/// response.
public struct SubscriptionResponses: AsyncSequence, Sendable {
    /// A response.
    public typealias Element = GraphQLResponse

    let events: EventStream
    let execute: @Sendable (ResolvedValue) async throws -> GraphQLResponse

    /// An iterator over the responses.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(nextEvent: events.makeIterator(), execute: execute)
    }

    /// Iterates over the responses.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let nextEvent: () async throws -> ResolvedValue?
        let execute: @Sendable (ResolvedValue) async throws -> GraphQLResponse

        /// Returns the next response; nil at the end.
        /// - Throws: Errors of the source stream.
        public mutating func next() async throws -> GraphQLResponse? {
            guard let event = try await nextEvent() else { return nil }
            return try await execute(event)
        }
    }
}

extension PlannedOperation {
    /// Starts a subscription (Subscribe; specification, section 6.2.3).
    /// - Throws: `CancellationError` if the task is canceled.
    package func subscribe(
        variables: ObjectValue, rootValue: any Sendable, userContext: any Sendable
    ) async throws(CancellationError) -> SubscriptionResponse {
        let operation: OperationContext
        do {
            operation = try context(variables, userContext)
        } catch {
            return .failed(GraphQLResponse(requestErrors: error))
        }
        guard definition.operation == .subscription, let field = operation.plan.root.fields.first,
            operation.plan.root.fields.count == 1,
            case .asynchronous(.events(let resolve, let subtree)) = field.resolution
        else {
            return .failed(
                GraphQLResponse(requestErrors: [
                    GraphQLError(
                        definition.operation == .subscription
                            ? "The field of the subscription has no resolver that returns events."
                            : "The operation is a \(definition.operation.rawValue), which has one response. Execute it with \"execute\".",
                        locations: [document.source.location(of: definition.range)])
                ]))
        }
        let events: EventStream
        do {
            let call = try FieldCall(field, operation)
            events = try await resolvedSchema.options.resolverExecutor.run { try await resolve(rootValue, call) }
        } catch {
            if Task.isCancelled { throw CancellationError() }
            let located = operation.executionError(error, at: ResponsePath(parent: nil, segment: .field(field)))
            return .failed(GraphQLResponse(requestErrors: [located.graphQLError]))
        }
        return .responses(
            SubscriptionResponses(events: events) { event in
                // The event is the source of a subtree resolver, or else the value of the root field.
                let source = if subtree != nil, case .object(let event) = event { event } else { rootValue }
                return try await OperationContext(operation, event: event).execute(source, [:]).response
            })
    }
}
