internal import DuetJSONWriter
internal import NIOCore

extension PreparedOperation {
    /// Executes the operation with incremental delivery of the fields with `@defer` and the lists with `@stream`.
    /// - Throws: `CancellationError` if the task is cancelled. All other errors are in the response.
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
        var (initial, records) = try await execute(operation, rootValue, extensions)
        if records.isEmpty { return .single(initial) }
        // The policy holds for the initial result only, and subsequent results can have errors.
        initial.cachePolicy = nil
        var delivery = IncrementalDelivery()
        delivery.add(records)
        var writer = ResponseWriter(initial.body)
        writer.json.buffer.moveWriterIndex(to: writer.json.buffer.writerIndex - 1)
        writer.json.write(raw: ",")
        delivery.writePending(&writer)
        writer.json.write(raw: "\"hasNext\":true}")
        initial.body = writer.json.buffer
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
        return .incremental(initial: initial, subsequent: stream)
    }

    /// Executes the records, and sends a subsequent result for each execution.
    private static func deliver(
        _ delivery: IncrementalDelivery, _ operation: OperationContext, _ send: (ByteBuffer) -> Void
    ) async throws {
        var delivery = delivery
        try await withThrowingTaskGroup(of: IncrementalExecution.Outcome.self) { group in
            while true {
                for execution in delivery.takeExecutions() {
                    group.addTask { try await execution.execute(operation) }
                }
                guard let outcome = try await group.next() else { return }
                send(delivery.subsequentResult(for: outcome))
            }
        }
    }
}
