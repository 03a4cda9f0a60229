internal import NIOCore

/// A call of an asynchronous resolver for one or more incomplete fields.
struct ResolverCall: Sendable {
    enum Resolver: Sendable {
        case async(@Sendable (any Sendable, FieldCall) async throws -> ResolvedValue)
        case batch(@Sendable ([any Sendable], FieldCall) async throws -> [ResolvedValue])
        case subtree(any SubtreeResolver)
        /// A resolver of subscription events, if the operation is executed without an event.
        case unsupported
    }

    let resolver: Resolver
    let fields: [IncompleteField]
    /// The references to the elements of ``fields``, in the same order.
    let references: [IncompleteFieldReference]

    /// Calls the resolver and completes the values. Thrown errors become execution errors in the returned parts.
    /// - Parameter output: The buffer to which a subtree resolver appends the value. Callers pass a buffer only for a
    ///   call with one field.
    func execute(_ operation: OperationContext, output: ByteBuffer = ByteBuffer()) async -> [ResponsePart] {
        let executor = operation.resolvedSchema.options.resolverExecutor
        switch resolver {
        case .async(let resolve):
            var values: [ResolvedValue] = []
            for field in fields {
                do {
                    let call = try FieldCall(field.field, operation)
                    values.append(try await executor.run { try await resolve(field.source, call) })
                } catch {
                    values.append(.failure(error))
                }
            }
            return [completeValues(values, operation)]
        case .batch(let resolve):
            do {
                let call = try FieldCall(fields[0].field, operation)
                let sources = fields.map(\.source)
                let values = try await executor.run { try await resolve(sources, call) }
                guard values.count == fields.count else {
                    throw ResultCountError(given: values.count, expected: fields.count)
                }
                return [completeValues(values, operation)]
            } catch {
                return [completeValues(fields.map { _ in .failure(error) }, operation)]
            }
        case .subtree(let resolver):
            guard fields.count > 1 else {
                return [await resolveSubtree(resolver, operation, output)]
            }
            return await resolveSubtrees(resolver, operation, output)
        case .unsupported:
            let error = GraphQLError(
                "The operation is a subscription, which has many responses. Execute it with \"subscribe\", or over a transport that supports subscriptions."
            )
            return [completeValues(fields.map { _ in .failure(error) }, operation)]
        }
    }

    /// Completes the values of all fields (CompleteValue), and returns them in one part.
    private func completeValues(_ values: [ResolvedValue], _ operation: OperationContext) -> ResponsePart {
        var executor = FieldExecutor(operation, buffer: ByteBuffer())
        for index in values.indices {
            let field = fields[index].field
            executor.beginValue(at: fields[index].path, completing: references[index])
            let isCompleted = executor.completeValue(values[index], field.output, field)
            executor.endValue(isCompleted: isCompleted)
        }
        return executor.finish()
    }
}
