internal import DuetGraphQL
internal import DuetJSON

extension GraphQLResponse {
    /// Returns the response with a code in each error if it is the response to a request error. Returns any other
    /// response unchanged. An error without a code is an error of the variables, and gets the code `BAD_USER_INPUT`.
    func coded() -> GraphQLResponse {
        guard kind == .requestError else { return self }
        return GraphQLResponse(requestErrors: GraphQLErrors(errors).coded("BAD_USER_INPUT"))
    }
}

extension GraphQLErrors {
    /// Returns the errors. Errors without a code get the given code.
    fileprivate func coded(_ code: String) -> GraphQLErrors {
        GraphQLErrors(
            map { error in
                guard error.code == nil else { return error }
                var error = error
                error.code = code
                return error
            })
    }
}

extension PreparedOperationCache {
    /// Returns the operation of a document from the cache. If the cache does not contain the operation, the method
    /// parses and validates the document, and plans the operation. The code of a thrown error identifies the failed
    /// step.
    func codedOperation(in document: FoundDocument, named name: String?) throws(GraphQLErrors) -> PlannedOperation {
        if let cached = cachedOperation(in: document, named: name) { return cached }
        return try prepareCodedOperation(in: document, named: name) { _ in }
    }

    /// Returns the operation of a document if it is cached.
    func cachedOperation(in document: FoundDocument, named name: String?) -> PlannedOperation? {
        switch document.text {
        case .plain(let text): cachedOperation(in: text, named: name)
        case .hashed(let text): cachedOperation(in: text, named: name)
        }
    }

    /// Parses, validates and plans the operation of a document, and caches it. The code of a thrown error identifies
    /// the failed step.
    /// - Parameter ended: A function that is called at the end of each step, even if the step fails.
    func prepareCodedOperation(
        in document: FoundDocument, named name: String?, ended: (Step) -> Void
    ) throws(GraphQLErrors) -> PlannedOperation {
        let text =
            switch document.text {
            case .plain(let text): UTF8Text(text)
            case .hashed(let text): text
            }
        var last = Step.parse
        do throws(GraphQLErrors) {
            return try prepareOperation(in: text, named: name) { step in
                last = step
                ended(step)
            }
        } catch {
            switch last {
            case .parse: throw error.coded("GRAPHQL_PARSE_FAILED")
            case .find: throw error.coded("OPERATION_RESOLUTION_FAILURE")
            case .validate, .plan: throw error.coded("GRAPHQL_VALIDATION_FAILED")
            }
        }
    }
}
