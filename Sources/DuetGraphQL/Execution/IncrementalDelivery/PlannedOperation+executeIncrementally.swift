internal import NIOCore

extension PlannedOperation {
    /// Executes the operation with incremental delivery of the fields with `@defer` and the lists with `@stream`.
    /// - Throws: `CancellationError` if the task is canceled. The response contains all other errors.
    package func executeIncrementally(
        variables: ObjectValue, rootValue: any Sendable, userContext: any Sendable, extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> IncrementalResponse {
        let operation: OperationContext
        do {
            operation = try executionContext(variables, userContext, deliversIncrementally: true)
        } catch {
            return .single(GraphQLResponse(requestErrors: error))
        }
        var (initial, records) = try await operation.execute(rootValue, extensions)
        if records.isEmpty { return .single(initial) }
        // The cache policy covers only the initial result. Subsequent results can have errors, and a response with
        // errors must not be cached.
        initial.cachePolicy = nil
        var delivery = IncrementalDelivery()
        delivery.add(records)
        var writer = ResponseWriter(initial.body)
        writer.json.buffer.moveWriterIndex(to: writer.json.buffer.writerIndex - 1)
        writer.json.write(raw: ",")
        delivery.writePending(&writer)
        writer.json.write(raw: "\"hasNext\":true}")
        initial.body = writer.json.buffer
        return .incremental(initial: initial, subsequent: IncrementalResults(delivery, operation))
    }
}
