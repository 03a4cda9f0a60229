/// An error of the execution of a field, and its response position (specification, section 6.4.4, "Handling Execution
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
    /// Returns the execution error for an error of a resolver or a scalar. If the error is not a `GraphQLError`,
    /// ``ExecutionOptions/message`` returns its message in the response.
    func executionError(_ error: any Error, at path: ResponsePath?) -> ExecutionError {
        let field = path?.field
        var shown: GraphQLError
        if let error = error as? GraphQLError {
            shown = error
        } else {
            let located = Self.located(error, at: field)
            let message = resolvedSchema.options.message(located)
            // A client that caused the error has its complete message, so a server need not log the error.
            let isErrorOfClient = (located as? ArgumentError)?.clientMessage == message
            shown = GraphQLError(message, underlyingError: isErrorOfClient ? nil : located)
        }
        if let underlying = shown.underlyingError as? any LocatedError, underlying.field == nil {
            shown.underlyingError = Self.located(underlying, at: field)
        }
        if shown.locations.isEmpty, let field {
            shown.locations = field.nodes.map { document.source.location(of: $0.range) }
        }
        return ExecutionError(error: shown, path: path)
    }

    private static func located(_ error: any Error, at field: PlannedField?) -> any Error {
        guard let field, var located = error as? any LocatedError else { return error }
        located.field = field.coordinate
        return located
    }
}
