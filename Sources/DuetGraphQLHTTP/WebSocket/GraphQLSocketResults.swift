package import DuetGraphQL
internal import NIOCore

/// The results of an operation on a WebSocket connection: one response, or the responses of a subscription.
package enum GraphQLSocketResults: AsyncSequence, Sendable {
    package typealias Element = GraphQLSocketResult

    case single(GraphQLSocketResult)
    /// The second value is a function that is called for each response with errors.
    case responses(SubscriptionResponses, @Sendable ([GraphQLError]) -> Void)

    package func makeAsyncIterator() -> Iterator {
        switch self {
        case .single(let result): Iterator(single: result)
        case .responses(let responses, let report):
            Iterator(responses: responses.makeAsyncIterator(), report: report)
        }
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var single: GraphQLSocketResult?
        fileprivate var responses: SubscriptionResponses.AsyncIterator?
        fileprivate var report: @Sendable ([GraphQLError]) -> Void = { _ in }

        @concurrent
        package mutating func next() async throws -> GraphQLSocketResult? {
            if let single = single.take() { return single }
            let next: GraphQLResponse?
            do {
                next = try await responses?.next()
            } catch {
                if !(error is CancellationError) {
                    report([error as? GraphQLError ?? GraphQLError("The subscription failed.", underlyingError: error)])
                }
                throw error
            }
            guard let response = next else { return nil }
            if !response.errors.isEmpty { report(response.errors) }
            return GraphQLSocketResult(response)
        }
    }
}

extension EndpointExchange {
    /// Executes a request of a WebSocket connection. The operation can have any type.
    /// - Throws: `GraphQLErrors` of the document, ``GraphQLRequestError``, and errors of the exchange.
    package mutating func results(of request: GraphQLRequest) async throws -> GraphQLSocketResults {
        let request = try DecodedRequest(request, for: documents)
        let document = try await documents.find(request)
        await beginLongWork()
        let operation: PlannedOperation
        do throws(GraphQLErrors) {
            operation = try operations.codedOperation(in: document, named: request.request.operationName)
        } catch let errors {
            throw self.error(of: request, errors)
        }
        await document.register?()
        guard operation.definition.operation == .subscription else {
            let response = try await execute(operation, request).coded()
            if !response.errors.isEmpty { reporter(response.errors) }
            return .single(GraphQLSocketResult(response))
        }
        switch try await subscribe(operation, request) {
        case .failed(let response):
            reporter(response.errors)
            return .single(GraphQLSocketResult(response.coded()))
        case .responses(let responses): return .responses(responses, reporter)
        }
    }
}
