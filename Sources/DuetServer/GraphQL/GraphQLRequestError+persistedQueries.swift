import DuetGraphQLHTTP
import HTTPTypes

extension GraphQLRequestError {
    /// The response tells for how long it holds: not at all, for the document may be registered the next moment.
    private static let neverStored: HTTPFields = [.cacheControl: "private, no-cache, must-revalidate"]

    /// No document is known by that identifier. Clients of Apollo's protocol know it by its message, and send the text.
    static let persistedQueryNotFound = GraphQLRequestError(
        .notFound, ofJSON: .ok, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound", fields: neverStored)

    /// Clients of Apollo's protocol send no more hashes when they read that.
    static let persistedQueryNotSupported = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported", fields: neverStored)

    /// The hash that came with a document is not that of its text: nobody may register a document under another's hash.
    static let persistedQueryMismatch = GraphQLRequestError(
        .badRequest, "PERSISTED_QUERY_HASH_MISMATCH", "provided sha does not match query")

    /// The server takes only what its manifests list.
    static let persistedQueryNotInList = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_IN_LIST",
        "This server answers only the documents it was started with, and this is none of them.", fields: neverStored)
}
