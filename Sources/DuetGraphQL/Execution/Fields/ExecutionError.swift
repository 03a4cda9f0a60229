/// An error that was raised while a field was executed, and its response position (specification, section 6.4.4, "Handling Execution
/// Errors").
struct ExecutionError: Sendable {
    var error: GraphQLError
    /// The response position. It becomes the error's path only when the response is written.
    let path: ResponsePath?

    /// The error as the response contains it.
    var graphQLError: GraphQLError {
        guard error.path == nil, let path else { return error }
        var located = error
        located.path = path.elements
        return located
    }
}

extension OperationContext {
    /// The execution error for an error that a resolver or a scalar threw. An error that is no `GraphQLError` has the message of
    /// ``ExecutionOptions/message`` in the response.
    func executionError(_ error: any Error, at path: ResponsePath?) -> ExecutionError {
        var shown =
            error as? GraphQLError
            ?? GraphQLError(resolvedSchema.options.message(error), underlyingError: error)
        if shown.locations.isEmpty, let field = path?.field {
            shown.locations = field.nodes.map { document.source.location(of: $0.range) }
        }
        return ExecutionError(error: shown, path: path)
    }
}
