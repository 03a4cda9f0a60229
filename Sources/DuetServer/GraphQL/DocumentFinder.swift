import DuetGraphQLHTTP
import DuetJSON
import DuetPersistedDocuments
import DuetPersistedQueries

/// Finds the documents that requests mean: automatic persisted queries as Apollo's clients speak them, and persisted documents.
struct DocumentFinder: Sendable {
    let queries: PersistedQueries
    let settings: PersistedQuerySettings
    let observe: ServerObserver

    /// A document, and the hash to register it under once it is known to be a good one.
    struct Found {
        let text: UTF8Text
        var registration: DocumentHash?
    }

    /// The document of a request. Nearly all are in memory: where this is called nothing is suspended then, and no frame made.
    /// - Throws: what a client needs to know, such as that it has to send the text.
    @inline(__always)
    func document(_ reference: DocumentReference) async throws(GraphQLRequestError) -> Found {
        if let known = try knownDocument(reference) { return known }
        return try await storedDocument(reference)
    }

    /// The same for what ``knownDocument(_:)`` does not find.
    private func storedDocument(_ reference: DocumentReference) async throws(GraphQLRequestError) -> Found {
        guard case .hash(let hash) = reference, let text = await queries.storedDocument(hash) else {
            throw .persistedQueryNotFound
        }
        return Found(text: text)
    }

    /// The same if no database has to be asked for it, so that nothing is suspended; `nil` for a hash that is not in memory.
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

    /// Why a hash that no manifest lists is of no use here.
    private var unlisted: GraphQLRequestError {
        settings.isExclusive ? .persistedQueryNotInList : .persistedQueryNotSupported
    }

    /// Keeps a document that parses, is valid and has the operation that was asked for; when this returns, it will be found.
    func register(_ found: Found) async {
        if let hash = found.registration { await queries.register(found.text, as: hash) }
    }
}
