import DuetGraphQLHTTP
import DuetJSON
import DuetPersistedDocuments
import DuetPersistedQueries

/// Finds the documents of requests, including automatic persisted queries (Apollo's protocol) and persisted documents.
struct DocumentFinder: Sendable {
    let queries: PersistedQueries
    let settings: PersistedQuerySettings
    let observe: ServerObserver

    /// The document of a request. `registration` is the hash under which the document must be registered after its
    /// validation. It is `nil` if the document must not be registered.
    struct Found {
        let text: UTF8Text
        var registration: DocumentHash?
    }

    /// Returns the document of a request. Nearly all documents are in memory. The method is inlined, so that for these
    /// documents the caller does not suspend and allocates no async frame.
    /// - Throws: The error for the client, for example ``GraphQLRequestError/persistedQueryNotFound``.
    @inline(__always)
    func document(_ reference: DocumentReference) async throws(GraphQLRequestError) -> Found {
        if let known = try knownDocument(reference) { return known }
        return try await storedDocument(reference)
    }

    /// Returns a document from the store. The caller has already called ``knownDocument(_:)``, which has not found the
    /// document in memory.
    private func storedDocument(_ reference: DocumentReference) async throws(GraphQLRequestError) -> Found {
        guard case .hash(let hash) = reference, let text = await queries.storedDocument(hash) else {
            throw .persistedQueryNotFound
        }
        return Found(text: text)
    }

    /// Returns the document of a request without suspension; `nil` for a hash that is not in memory.
    private func knownDocument(_ reference: DocumentReference) throws(GraphQLRequestError) -> Found? {
        switch reference {
        case .text(let text):
            let text = UTF8Text(text)
            guard !settings.isExclusive || queries.isListed(text) else { throw .persistedQueryNotInList }
            return Found(text: text)
        case .registration(let text, let hash):
            guard DocumentHash(of: text) == hash else {
                observe(.persistedQueryMismatch)
                throw .persistedQueryMismatch
            }
            let text = UTF8Text(text)
            if queries.isListed(text) { return Found(text: text) }
            guard takesRegistrations else { throw unlisted }
            return Found(text: text, registration: hash)
        case .hash(let hash):
            if takesRegistrations { return queries.knownDocument(hash).map { Found(text: $0) } }
            guard let text = queries.listedDocument(hash) else { throw unlisted }
            return Found(text: text)
        case .name(let name):
            guard let text = queries.listedDocument(named: name) else {
                throw settings.isExclusive ? .persistedQueryNotInList : .persistedQueryNotFound
            }
            return Found(text: text)
        }
    }

    private var takesRegistrations: Bool { settings.isAutomatic && !settings.isExclusive }

    /// The error for a hash that is not in a manifest.
    private var unlisted: GraphQLRequestError {
        settings.isExclusive ? .persistedQueryNotInList : .persistedQueryNotSupported
    }

    /// Registers a document if it has a `registration`. The document must be valid and contain the requested operation.
    /// After this method returns, requests can refer to the document by its hash.
    func register(_ found: Found) async {
        if let hash = found.registration { await queries.register(found.text, as: hash) }
    }
}
