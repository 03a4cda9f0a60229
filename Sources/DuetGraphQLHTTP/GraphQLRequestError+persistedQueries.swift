internal import HTTPTypes

extension GraphQLRequestError {
    /// No cache answers with such a response again: the document may be registered the next moment.
    private static let neverStored: HTTPFields = [.cacheControl: "private, no-cache, must-revalidate"]

    /// A persisted query that is unknown. A client of Apollo's protocol recognizes the message, and sends the text of the document.
    public static let persistedQueryNotFound = GraphQLRequestError(
        .notFound, ofJSON: .ok, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound", fields: neverStored)

    /// A persisted query where the server has none. A client of Apollo's protocol then sends no more hashes.
    public static let persistedQueryNotSupported = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported", fields: neverStored)

    /// A document with the hash of another one.
    public static let persistedQueryMismatch = GraphQLRequestError(
        .badRequest, "PERSISTED_QUERY_HASH_MISMATCH", "provided sha does not match query")

    /// A document that is not in the manifests of a server that takes no others.
    public static let persistedQueryNotInList = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_IN_LIST",
        "This server answers only the documents it was started with, and this is none of them.", fields: neverStored)
}
