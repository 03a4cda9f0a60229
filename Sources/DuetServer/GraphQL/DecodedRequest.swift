import DuetGraphQL
import DuetGraphQLHTTP

/// A decoded GraphQL request, and the values that are derived only from the request. The type is a class, so that the
/// values are not copied when a request is passed to a function.
final class DecodedRequest: Sendable {
    let request: GraphQLRequest
    /// The reference to the document.
    let reference: DocumentReference
    /// The variables in the format of the GraphQL engine.
    let variables: ObjectValue

    /// Decodes a request.
    /// - Throws: An error if the reference to the document is invalid or missing.
    init(_ request: GraphQLRequest) throws(GraphQLRequestError) {
        self.request = request
        reference = try request.reference()
        variables = ObjectValue(request.variables)
    }
}
