#if Crypto
    internal import DuetJSON
    internal import DuetPersistedDocuments
#endif

/// The part of a request that identifies the document.
enum DocumentReference: Sendable, Hashable {
    /// The text.
    case text(String)
    /// An identifier or a hash for the closure of ``PersistedQuerySource/custom(_:)``, which reads it from the request.
    case custom
    #if Crypto
        /// The hash of an automatic persisted query or of `documentId=sha256:…`.
        case hash(DocumentHash)
        /// The text and its hash. The server registers the text, so that later requests can contain only the hash.
        case registration(String, DocumentHash)
        /// The identifier in a manifest.
        case name(String)
    #endif
}

#if Crypto
    extension GraphQLRequest {
        /// Returns the reference to the document. The hash is part of Apollo's protocol of automatic persisted queries,
        /// version 1. The identifier is part of GraphQL over HTTP, appendix A.
        /// - Throws: An error if the request identifies no document, if it has a `documentId` and also a text or a
        ///   hash, or if the hash or its `version` is invalid.
        func reference() throws(GraphQLRequestError) -> DocumentReference {
            let hash = try persistedQueryHash()
            if let documentID {
                guard query == nil, hash == nil else {
                    throw .malformed(
                        #"The request has a "documentId" and also a "query" or a hash in "extensions.persistedQuery". Send only the "documentId", or omit it."#
                    )
                }
                return try Self.reference(documentID: documentID)
            }
            switch (query, hash) {
            case (let query?, nil): return .text(query)
            case (let query?, let hash?): return .registration(query, hash)
            case (nil, let hash?): return .hash(hash)
            case (nil, nil): throw .missingQuery
            }
        }

        private func persistedQueryHash() throws(GraphQLRequestError) -> DocumentHash? {
            switch extensions["persistedQuery"] {
            case nil, .null: return nil
            case .object(let persisted):
                guard persisted["version"] == .integer(1) else {
                    throw .malformed(
                        #"Unsupported persisted query version: "extensions.persistedQuery.version" must be 1."#)
                }
                guard case .string(let text)? = persisted["sha256Hash"], let hash = DocumentHash(hexadecimal: text)
                else {
                    throw .malformed(
                        #""extensions.persistedQuery.sha256Hash" must be the document's SHA-256 as 64 hexadecimal digits in lower case."#
                    )
                }
                return hash
            case .some(let other):
                throw .malformed("\"extensions.persistedQuery\" must be an object, not \(other.typeName).")
            }
        }

        private static func reference(documentID: String) throws(GraphQLRequestError) -> DocumentReference {
            let prefix = "sha256:"
            guard documentID.hasPrefix(prefix) else { return .name(documentID) }
            guard let hash = DocumentHash(hexadecimal: String(documentID.dropFirst(prefix.count))) else {
                throw .malformed(
                    #"The "documentId" must have the document's SHA-256 as 64 hexadecimal digits in lower case after "sha256:"."#
                )
            }
            return .hash(hash)
        }
    }
#endif
