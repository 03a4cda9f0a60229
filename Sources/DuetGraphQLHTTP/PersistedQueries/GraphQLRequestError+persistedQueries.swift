internal import HTTPTypes

extension GraphQLRequestError {
    /// Header fields that prevent caches from reusing the response for later requests. The document can be registered
    /// at any time. After that, the response would be wrong.
    private static let neverStored: HTTPFields = [.cacheControl: "private, no-cache, must-revalidate"]

    /// The error for an unknown hash or identifier. When a client of automatic persisted queries receives this message,
    /// it sends the text of the document.
    public static let persistedQueryNotFound = GraphQLRequestError(
        .notFound, ofJSON: .ok, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound", fields: neverStored)

    /// The error of a server that does not support persisted queries. When a client of automatic persisted queries
    /// receives this message, it stops sending hashes.
    public static let persistedQueryNotSupported = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported", fields: neverStored)

    /// The error for a hash that is not the hash of the request's document.
    public static let persistedQueryMismatch = GraphQLRequestError(
        .badRequest, "PERSISTED_QUERY_HASH_MISMATCH", "provided sha does not match query")

    /// The error for a document that is not in a manifest, if the server only executes the documents of its manifests.
    public static let persistedQueryNotInList = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_IN_LIST",
        "This server only executes the documents of its manifests. Send a document that is in a manifest.",
        fields: neverStored)
}
