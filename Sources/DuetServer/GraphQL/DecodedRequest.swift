import DuetGraphQL
import DuetGraphQLHTTP

/// A decoded request with the values that depend on it alone. It is a class, so that passing it does not copy the
/// values.
final class DecodedRequest: Sendable {
    let request: GraphQLRequest
    /// The reference to the document.
    let reference: DocumentReference
    /// The variables in the format of the engine.
    let variables: ObjectValue

    /// Decodes a request.
    /// - Throws: The error in the reference to the document.
    init(_ request: GraphQLRequest) throws(GraphQLRequestError) {
        self.request = request
        reference = try request.reference()
        variables = ObjectValue(request.variables)
    }
}
