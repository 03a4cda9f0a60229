internal import HTTPTypes

extension GraphQLRequestError {
    /// Header fields that prevent caches from storing the response, because the document can be registered at any time.
    private static let neverStored: HTTPFields = [.cacheControl: "private, no-cache, must-revalidate"]

    /// The error for an unknown hash or identifier. Clients of automatic persisted queries send the text after this
    /// message.
    public static let persistedQueryNotFound = GraphQLRequestError(
        .notFound, ofJSON: .ok, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound", fields: neverStored)

    /// The error of a server without persisted queries. Clients of automatic persisted queries stop sending hashes
    /// after this message.
    public static let persistedQueryNotSupported = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported", fields: neverStored)

    /// The error for a hash that is not the hash of the request's document.
    public static let persistedQueryMismatch = GraphQLRequestError(
        .badRequest, "PERSISTED_QUERY_HASH_MISMATCH", "provided sha does not match query")

    /// The error of a server that only executes the documents of its manifests.
    public static let persistedQueryNotInList = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_IN_LIST",
        "This server only executes the documents of its manifests. Send a document that is in a manifest.",
        fields: neverStored)
}
