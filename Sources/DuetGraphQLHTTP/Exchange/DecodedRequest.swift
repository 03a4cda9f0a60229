internal import DuetGraphQL

/// A decoded GraphQL request, and the values that are derived only from the request. The type is a class, so that the
/// values are not copied when a request is passed to a function.
package final class DecodedRequest: Sendable {
    /// The request.
    package let request: GraphQLRequest
    /// The variables in the format of the GraphQL engine.
    package let variables: ObjectValue
    /// The reference to the document.
    let reference: DocumentReference

    /// Decodes a request.
    /// - Parameter documents: The documents of the endpoint. They determine which references are valid.
    /// - Throws: An error if the reference to the document is invalid or missing.
    package init(_ request: GraphQLRequest, for documents: PersistedQuerySource) throws(GraphQLRequestError) {
        self.request = request
        reference = try documents.reference(of: request)
        variables = ObjectValue(request.variables)
    }
}
