#if Crypto
    public import DuetPersistedDocuments
#endif

/// The documents that requests name by a hash or an identifier in place of their text.
///
///     let persistedQueries = PersistedQuerySource.automatic(InMemoryPersistedQueryStore())
///     let response = try await schema.respond(to: request, persistedQueries: persistedQueries)
public struct PersistedQuerySource: Sendable {
    /// The document of a request.
    struct Found: Sendable {
        let document: String
        /// Registers the document. It is called if the document is valid, before it is executed.
        var register: (@Sendable () async -> Void)?
    }

    /// Finds the document of a request.
    let find: @Sendable (GraphQLRequest) async throws(GraphQLRequestError) -> Found

    /// No documents: a request that names one gets ``GraphQLRequestError/persistedQueryNotSupported``, after which clients send no more
    /// hashes.
    public static let unsupported = PersistedQuerySource { request throws(GraphQLRequestError) in
        guard let document = request.query else {
            throw request.namesPersistedDocument ? .persistedQueryNotSupported : .missingQuery
        }
        return Found(document: document)
    }

    /// Documents that a closure of the type `(GraphQLRequest) async throws(GraphQLRequestError) -> String?` returns.
    /// - Parameter document: is called for a request with a `documentId`, or with `persistedQuery` in its extensions, also if the request has
    ///   a text. It returns the text of the document, or nil for the text of the request. Without a text of either, the response is
    ///   ``GraphQLRequestError/persistedQueryNotFound``, after which clients send the text. The closure compares a hash with a text, and throws
    ///   ``GraphQLRequestError/persistedQueryMismatch``.
    public static func custom(
        _ document: @escaping @Sendable (GraphQLRequest) async throws(GraphQLRequestError) -> String?
    ) -> PersistedQuerySource {
        PersistedQuerySource { request throws(GraphQLRequestError) in
            if request.namesPersistedDocument {
                guard let document = try await document(request) ?? request.query else {
                    throw .persistedQueryNotFound
                }
                return Found(document: document)
            }
            guard let document = request.query else { throw .missingQuery }
            return Found(document: document)
        }
    }

    #if Crypto
        /// Documents of a store, with Apollo's protocol of automatic persisted queries, version 1, and the persisted documents of GraphQL
        /// over HTTP (appendix A). This needs the trait `Crypto` of the package.
        ///
        /// | the request has | the response |
        /// |---|---|
        /// | a hash or an identifier that the store has | the response of the document |
        /// | another hash or identifier | ``GraphQLRequestError/persistedQueryNotFound``, after which clients send the text |
        /// | a hash and its document | the response of the document; a valid document is registered |
        /// | a hash and another document | ``GraphQLRequestError/persistedQueryMismatch`` |
        /// - Parameter store: the store, such as an `InMemoryPersistedQueryStore`, or `PersistedQueries` with a database.
        public static func automatic(_ store: any PersistedQueryStore) -> PersistedQuerySource {
            PersistedQuerySource { request throws(GraphQLRequestError) in
                let document: String?
                switch try request.reference() {
                case .text(let text): return Found(document: text)
                case .registration(let text, let hash):
                    guard DocumentHash(of: text) == hash else { throw .persistedQueryMismatch }
                    return Found(document: text) { await store.register(text, as: hash) }
                case .hash(let hash): document = await store.document(hash)
                case .name(let name): document = await store.document(named: name)
                }
                guard let document else { throw .persistedQueryNotFound }
                return Found(document: document)
            }
        }

        /// The documents of a manifest, and no others ("trusted documents"). This needs the trait `Crypto` of the package.
        ///
        /// A request has the identifier, the hash or the text of a document of the manifest. Any other request gets
        /// ``GraphQLRequestError/persistedQueryNotInList``.
        /// - Parameter manifest: The documents, which the owner of the server has reviewed.
        public static func listed(_ manifest: PersistedQueryManifest) -> PersistedQuerySource {
            PersistedQuerySource { request throws(GraphQLRequestError) in
                let document: String?
                switch try request.reference() {
                case .text(let text): document = manifest.contains(text) ? text : nil
                case .registration(let text, let hash):
                    guard DocumentHash(of: text) == hash else { throw .persistedQueryMismatch }
                    document = manifest.contains(text) ? text : nil
                case .hash(let hash): document = manifest.document(hash)
                case .name(let name): document = manifest.document(named: name)
                }
                guard let document else { throw .persistedQueryNotInList }
                return Found(document: document)
            }
        }
    #endif
}
