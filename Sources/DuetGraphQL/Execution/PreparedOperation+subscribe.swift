/// What became of a subscription.
public enum SubscriptionResponse: Sendable {
    /// It could not be begun.
    case failed(GraphQLResponse)
    /// A response for each event.
    case responses(SubscriptionResponses)
}

/// The responses of a subscription (MapSourceToResponseEvent). They are made when they are asked for; an event that is not asked
/// for is not executed.
public struct SubscriptionResponses: AsyncSequence, Sendable {
    /// A response.
    public typealias Element = GraphQLResponse

    let events: EventStream
    let respond: @Sendable (ResolvedValue) async throws -> GraphQLResponse

    /// An iterator over the responses.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(nextEvent: events.makeIterator(), respond: respond)
    }

    /// Iterates over the responses.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let nextEvent: () async throws -> ResolvedValue?
        let respond: @Sendable (ResolvedValue) async throws -> GraphQLResponse

        /// The next response; nil at the end.
        /// - Throws: what the events' source throws.
        public mutating func next() async throws -> GraphQLResponse? {
            guard let event = try await nextEvent() else { return nil }
            return try await respond(event)
        }
    }
}

extension PreparedOperation {
    /// Begins a subscription (Subscribe; specification, section 6.2.3).
    /// - Throws: `CancellationError` if the task is cancelled.
    public func subscribe(
        variables: ObjectValue = [:], rootValue: any Sendable = (), userContext: any Sendable = ()
    ) async throws(CancellationError) -> SubscriptionResponse {
        let operation: OperationContext
        do {
            operation = try context(variables, userContext)
        } catch {
            return .failed(GraphQLResponse(requestErrors: error))
        }
        guard definition.operation == .subscription, let field = operation.plan.root.fields.first,
            operation.plan.root.fields.count == 1, case .asynchronous(.events(let resolve)) = field.resolution
        else {
            return .failed(
                GraphQLResponse(requestErrors: [
                    GraphQLError(
                        "The operation has no source of events.",
                        locations: [document.source.location(of: definition.range)])
                ]))
        }
        let events: EventStream
        do {
            events = try await resolve(rootValue, FieldContext(field, operation))
        } catch {
            if Task.isCancelled { throw CancellationError() }
            let located = operation.executionError(error, at: ResponsePath(parent: nil, segment: .field(field)))
            return .failed(GraphQLResponse(requestErrors: [located.graphQLError]))
        }
        let variables = operation.variables
        return .responses(
            SubscriptionResponses(events: events) { event in
                let operation = OperationContext(
                    schema: self.schema, variables: variables, userContext: userContext, document: self.document,
                    plan: operation.plan, event: event)
                return try await self.execute(operation, rootValue, [:]).response
            })
    }
}
