#if Crypto
    public import DuetPersistedDocuments
#endif

/// A source of the documents that requests identify by a hash or an identifier instead of the text.
///
///     let persistedQueries = PersistedQuerySource.automatic(InMemoryPersistedQueryStore())
///     let response = try await schema.respond(to: request, persistedQueries: persistedQueries)
public struct PersistedQuerySource: Sendable {
    /// The document of a request.
    struct Found: Sendable {
        let document: String
        /// Registers the document. It is called before the execution, if the document is valid.
        var register: (@Sendable () async -> Void)?
    }

    /// Finds the document of a request.
    let find: @Sendable (GraphQLRequest) async throws(GraphQLRequestError) -> Found

    /// A source without documents. A request for a persisted document gets
    /// ``GraphQLRequestError/persistedQueryNotSupported``. After this error, clients stop sending hashes.
    public static let unsupported = PersistedQuerySource { request throws(GraphQLRequestError) in
        guard let document = request.query else {
            throw request.namesPersistedDocument ? .persistedQueryNotSupported : .missingQuery
        }
        return Found(document: document)
    }

    /// Returns a source that gets documents from a closure of the type
    /// `(GraphQLRequest) async throws(GraphQLRequestError) -> String?`.
    /// - Parameter document: A closure that returns the text of the document, or nil to use the text of the request. It
    ///   is called for each request with a `documentId`, or with `persistedQuery` in its extensions, even if the
    ///   request has a text. If neither the closure nor the request supplies a text, the response is
    ///   ``GraphQLRequestError/persistedQueryNotFound``, and clients send the text. If the request has a hash and a
    ///   text, the closure must verify the hash. If it is not the hash of the text, the closure must throw
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
        /// Returns a source that gets documents from a store. It supports Apollo's protocol of automatic persisted
        /// queries, version 1, and the persisted documents of GraphQL over HTTP (appendix A). This requires the trait
        /// `Crypto` of the package.
        ///
        /// | the request has | the response |
        /// |---|---|
        /// | a hash or an identifier of a document in the store | the result of the operation |
        /// | another hash or identifier | ``GraphQLRequestError/persistedQueryNotFound``; clients send the text |
        /// | a hash and its document | the result of the operation; a valid document is registered |
        /// | a hash and another document | ``GraphQLRequestError/persistedQueryMismatch`` |
        /// - Parameter store: The store, such as an `InMemoryPersistedQueryStore`, or a `PersistedQueries` with a
        ///   database.
        public static func automatic(_ store: any PersistedQueryStore) -> PersistedQuerySource {
            PersistedQuerySource { request throws(GraphQLRequestError) in
                let document: String?
                switch try request.verifiedReference() {
                case .text(let text): return Found(document: text)
                case .registration(let text, let hash):
                    return Found(document: text) { await store.register(text, as: hash) }
                case .hash(let hash): document = await store.document(hash)
                case .name(let name): document = await store.document(named: name)
                }
                guard let document else { throw .persistedQueryNotFound }
                return Found(document: document)
            }
        }

        /// Returns a source that only contains the documents of a manifest ("trusted documents"). This requires the
        /// trait `Crypto` of the package.
        ///
        /// A request must contain the identifier, the hash or the text of a document of the manifest. A request
        /// for any other document gets ``GraphQLRequestError/persistedQueryNotInList``.
        /// - Parameter manifest: The documents. The operator of the server must review them.
        public static func listed(_ manifest: PersistedQueryManifest) -> PersistedQuerySource {
            PersistedQuerySource { request throws(GraphQLRequestError) in
                let document: String? =
                    switch try request.verifiedReference() {
                    case .text(let text), .registration(let text, _): manifest.contains(text) ? text : nil
                    case .hash(let hash): manifest.document(hash)
                    case .name(let name): manifest.document(named: name)
                    }
                guard let document else { throw .persistedQueryNotInList }
                return Found(document: document)
            }
        }
    #endif
}

#if Crypto
    extension GraphQLRequest {
        /// Returns the reference to the document; see `reference()`.
        /// - Throws: ``GraphQLRequestError/persistedQueryMismatch`` if the text and the hash of the request do not
        ///   match, and the errors of `reference()`.
        fileprivate func verifiedReference() throws(GraphQLRequestError) -> DocumentReference {
            let reference = try reference()
            if case .registration(let text, let hash) = reference, DocumentHash(of: text) != hash {
                throw .persistedQueryMismatch
            }
            return reference
        }
    }
#endif
