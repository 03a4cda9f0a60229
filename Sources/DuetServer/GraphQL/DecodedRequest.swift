import DuetGraphQL
import DuetGraphQLHTTP

/// A request, and what can be told of it alone. An object, so that nothing of it is copied on its way.
final class DecodedRequest: Sendable {
    let request: GraphQLRequest
    /// The document it means.
    let reference: DocumentReference
    /// Its variables as the engine takes them.
    let variables: ObjectValue

    /// - Throws: what is wrong with how it says which document it means.
    init(_ request: GraphQLRequest) throws(GraphQLRequestError) {
        self.request = request
        reference = try request.reference()
        variables = ObjectValue(request.variables)
    }
}
