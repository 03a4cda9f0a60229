#if Crypto
    internal import DuetJSON
    internal import DuetPersistedDocuments

    /// The documents that clients may execute.
    package enum PersistedQueryPolicy: Sendable {
        /// All documents. A client may register a document by sending it with its hash (Apollo's protocol of automatic
        /// persisted queries).
        case automatic
        /// All documents, without registrations. A hash or an identifier must be that of a document of a manifest.
        case listedOrText
        /// The documents of manifests.
        case listedOnly
    }

    /// Finds the documents of requests in a store, including automatic persisted queries and persisted documents.
    final class DocumentFinder: Sendable {
        private let store: any PersistedQueryStore
        /// The store; nil if it has no functions without suspension.
        private let lookup: (any PersistedQueryLookup)?
        private let policy: PersistedQueryPolicy
        private let onMismatch: @Sendable () -> Void

        /// Creates a finder of all documents.
        init(_ store: any PersistedQueryStore) {
            self.store = store
            lookup = store as? any PersistedQueryLookup
            policy = .automatic
            onMismatch = {}
        }

        /// Creates a finder.
        /// - Parameter onMismatch: A function that is called if a document is sent with the hash of another document.
        init(
            _ store: any PersistedQueryLookup, _ policy: PersistedQueryPolicy,
            onMismatch: @escaping @Sendable () -> Void
        ) {
            self.store = store
            lookup = store
            self.policy = policy
            self.onMismatch = onMismatch
        }

        /// Returns the document without suspension; nil for a hash or an identifier that requires a suspension.
        /// - Throws: The error for the client, for example ``GraphQLRequestError/persistedQueryMismatch``.
        func knownDocument(_ reference: DocumentReference) throws(GraphQLRequestError) -> FoundDocument? {
            switch reference {
            case .text(let text):
                guard policy == .listedOnly else { return FoundDocument(text) }
                let text = UTF8Text(text)
                guard isListed(text) else { throw .persistedQueryNotInList }
                return FoundDocument(text)
            case .registration(let text, let hash):
                guard DocumentHash(of: text) == hash else {
                    onMismatch()
                    throw .persistedQueryMismatch
                }
                if isListed(UTF8Text(text)) { return FoundDocument(text) }
                guard policy == .automatic else { throw unlisted }
                return FoundDocument(text) { [store] in await store.register(text, as: hash) }
            case .hash(let hash):
                if policy == .automatic { return lookup?.knownDocument(hash).map { FoundDocument($0) } }
                guard let text = lookup?.listedDocument(hash) else { throw unlisted }
                return FoundDocument(text)
            case .name(let name):
                if policy == .automatic { return nil }
                guard let text = lookup?.listedDocument(named: name) else {
                    throw policy == .listedOnly ? .persistedQueryNotInList : .persistedQueryNotFound
                }
                return FoundDocument(text)
            case .custom: return nil
            }
        }

        /// Returns a document that ``knownDocument(_:)`` has not found.
        /// - Throws: ``GraphQLRequestError/persistedQueryNotFound``.
        func storedDocument(_ reference: DocumentReference) async throws(GraphQLRequestError) -> FoundDocument {
            let text: String?
            switch reference {
            case .hash(let hash): text = await store.document(hash)
            case .name(let name): text = await store.document(named: name)
            case .text, .registration, .custom: text = nil
            }
            guard let text else { throw .persistedQueryNotFound }
            return FoundDocument(text)
        }

        private func isListed(_ text: UTF8Text) -> Bool { lookup?.isListed(text) == true }

        /// The error for a hash that is not in a manifest.
        private var unlisted: GraphQLRequestError {
            policy == .listedOnly ? .persistedQueryNotInList : .persistedQueryNotSupported
        }
    }
#endif
