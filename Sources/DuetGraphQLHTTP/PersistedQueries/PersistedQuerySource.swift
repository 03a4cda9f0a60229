#if Crypto
    public import DuetPersistedDocuments
#endif

/// A source of the documents that requests identify by a hash or an identifier instead of the text.
///
///     let persistedQueries = PersistedQuerySource.automatic(InMemoryPersistedQueryStore())
///     let response = try await schema.respond(to: request, persistedQueries: persistedQueries)
public struct PersistedQuerySource: Sendable {
    private enum Kind: Sendable {
        case unsupported
        case custom(@Sendable (GraphQLRequest) async throws(GraphQLRequestError) -> String?)
        #if Crypto
            case store(DocumentFinder)
        #endif
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// A source without documents. A request for a persisted document gets
    /// ``GraphQLRequestError/persistedQueryNotSupported``. After this error, clients stop sending hashes.
    public static let unsupported = PersistedQuerySource(.unsupported)

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
        PersistedQuerySource(.custom(document))
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
            PersistedQuerySource(.store(DocumentFinder(store)))
        }

        /// Returns a source that only contains the documents of a manifest ("trusted documents"). This requires the
        /// trait `Crypto` of the package.
        ///
        /// A request must contain the identifier, the hash or the text of a document of the manifest. A request
        /// for any other document gets ``GraphQLRequestError/persistedQueryNotInList``.
        /// - Parameter manifest: The documents. The operator of the server must review them.
        public static func listed(_ manifest: PersistedQueryManifest) -> PersistedQuerySource {
            stored(in: InMemoryPersistedQueryStore(manifest: manifest), .listedOnly)
        }

        /// Returns a source that gets documents from a store.
        /// - Parameter onMismatch: A function that is called if a document is sent with the hash of another document.
        package static func stored(
            in store: any PersistedQueryLookup, _ policy: PersistedQueryPolicy,
            onMismatch: @escaping @Sendable () -> Void = {}
        ) -> PersistedQuerySource {
            PersistedQuerySource(.store(DocumentFinder(store, policy, onMismatch: onMismatch)))
        }
    #endif
}

// MARK: - Finding documents

extension PersistedQuerySource {
    /// Returns the reference of a request to its document.
    /// - Throws: An error if the reference is invalid or missing, or if the source does not support it.
    func reference(of request: GraphQLRequest) throws(GraphQLRequestError) -> DocumentReference {
        switch kind {
        case .unsupported:
            guard let text = request.query else {
                throw request.namesPersistedDocument ? .persistedQueryNotSupported : .missingQuery
            }
            return .text(text)
        case .custom:
            if request.namesPersistedDocument { return .custom }
            guard let text = request.query else { throw .missingQuery }
            return .text(text)
        #if Crypto
            case .store: return try request.reference()
        #endif
        }
    }

    /// Returns the document of a request. Nearly all documents are in memory. The method is inlined, so that for these
    /// documents the caller does not suspend and allocates no async frame.
    /// - Throws: The error for the client, for example ``GraphQLRequestError/persistedQueryNotFound``.
    @inline(__always)
    func find(_ request: DecodedRequest) async throws(GraphQLRequestError) -> FoundDocument {
        if let known = try knownDocument(request.reference) { return known }
        return try await storedDocument(request)
    }

    private func knownDocument(_ reference: DocumentReference) throws(GraphQLRequestError) -> FoundDocument? {
        #if Crypto
            if case .store(let finder) = kind { return try finder.knownDocument(reference) }
        #endif
        guard case .text(let text) = reference else { return nil }
        return FoundDocument(text)
    }

    private func storedDocument(_ request: DecodedRequest) async throws(GraphQLRequestError) -> FoundDocument {
        switch kind {
        case .unsupported: throw .persistedQueryNotSupported
        case .custom(let document):
            guard let text = try await document(request.request) ?? request.request.query else {
                throw .persistedQueryNotFound
            }
            return FoundDocument(text)
        #if Crypto
            case .store(let finder): return try await finder.storedDocument(request.reference)
        #endif
        }
    }
}
