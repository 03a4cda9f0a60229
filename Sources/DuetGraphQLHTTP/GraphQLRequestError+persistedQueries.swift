internal import HTTPTypes

extension GraphQLRequestError {
    /// No cache may store such a response, because the document can be registered at any time.
    private static let neverStored: HTTPFields = [.cacheControl: "private, no-cache, must-revalidate"]

    /// No document has this identifier. Clients of automatic persisted queries send the text after this message.
    public static let persistedQueryNotFound = GraphQLRequestError(
        .notFound, ofJSON: .ok, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound", fields: neverStored)

    /// Clients of automatic persisted queries send no more hashes after this message.
    public static let persistedQueryNotSupported = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported", fields: neverStored)

    /// The hash of a request is not that of its document.
    public static let persistedQueryMismatch = GraphQLRequestError(
        .badRequest, "PERSISTED_QUERY_HASH_MISMATCH", "provided sha does not match query")

    /// The server executes only documents of its manifests.
    public static let persistedQueryNotInList = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_IN_LIST",
        "This server executes only the documents of its manifests, and this is none of them. Send one of these.", fields: neverStored)
}
