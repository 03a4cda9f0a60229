import DuetJSON
import DuetPersistedDocuments
import Synchronization

/// Determines the HTTP method and the representation of the document in the requests for an operation, according to the
/// protocol of automatic persisted queries.
///
/// If the server refuses a request, this class determines the next request. It remembers that a server does not support
/// persisted queries or the method GET.
final class PersistedQueryProtocol: Sendable {
    /// The HTTP method of a request, and the representation of the document in it.
    struct Attempt: Hashable {
        var method: PersistedQuerySettings.Method
        var content: Content

        /// The representation of the document in the request.
        enum Content: Hashable {
            case document
            case hash(String)
            case hashAndDocument(String)
            case identifier(String)
        }
    }

    /// The reason why a server did not execute an operation.
    enum Refusal: Hashable {
        /// The hash is unknown.
        case notFound
        /// The server does not support persisted queries.
        case notSupported
        /// The server accepts only the documents in its list.
        case notListed
        /// The server does not accept queries with the method GET.
        case methodNotAllowed
        /// The request target is too long for the server or for a proxy.
        case addressTooLong
    }

    private struct Memory {
        var takesHashes = true
        var takesGET = true
    }

    private let settings: PersistedQuerySettings
    /// The identifiers of the documents in the manifest, by document hash.
    private let identifiers: [String: String]?
    private let memory = Mutex(Memory())

    init(_ settings: PersistedQuerySettings) {
        self.settings = settings
        identifiers = settings.manifest.map { manifest in
            Dictionary(manifest.operations.map { (DocumentHash(of: $0.document).description, $0.id) }) {
                first, _ in first
            }
        }
    }

    /// Returns the first attempt to send an operation.
    /// - Returns: The attempt, or `nil` if the document must not be sent.
    func first(for document: OperationDocument) -> Attempt? {
        let memory = memory.withLock { $0 }
        let method = method(settings.queryMethod, of: document, takesGET: memory.takesGET)
        switch settings.mode {
        case .off:
            return Attempt(method: document.isRegistrable ? method : .post, content: .document)
        case .automatic:
            guard document.isRegistrable, memory.takesHashes else { return Attempt(method: .post, content: .document) }
            return Attempt(method: method, content: .hash(document.hash))
        case .listedOnly:
            guard document.isRegistrable else { return nil }
            guard let identifiers else { return Attempt(method: method, content: .hash(document.hash)) }
            guard let identifier = identifiers[document.hash] else { return nil }
            // If an identifier has the syntax of a SHA-256 hash, a server treats it as a hash. The client therefore
            // sends it as a hash.
            let isHash = DocumentHash(hexadecimal: identifier) != nil
            return Attempt(method: method, content: isHash ? .hash(identifier) : .identifier(identifier))
        }
    }

    /// Returns the representation of the document of a live query. A live query is one long request, so the client
    /// sends the text, unless the server accepts only listed documents.
    /// - Returns: `nil` if the document must not be sent.
    func content(ofLive document: OperationDocument) -> Attempt.Content? {
        settings.mode == .listedOnly ? first(for: document)?.content : .document
    }

    /// Returns the next attempt to send an operation after a refusal.
    /// - Returns: The attempt, or `nil` if a different method or representation of the document would not help.
    func next(after attempt: Attempt, _ refusal: Refusal, of document: OperationDocument) -> Attempt? {
        switch (refusal, attempt.content) {
        case (.notFound, .hash(let hash)) where settings.mode == .automatic:
            let takesGET = memory.withLock { $0.takesGET }
            return Attempt(
                method: method(settings.retryMethod, of: document, takesGET: takesGET), content: .hashAndDocument(hash))
        case (.notSupported, .hash), (.notSupported, .hashAndDocument):
            guard settings.mode == .automatic else { return nil }
            memory.withLock { $0.takesHashes = false }
            return Attempt(method: .post, content: .document)
        case (.methodNotAllowed, _) where attempt.method == .get:
            memory.withLock { $0.takesGET = false }
            return Attempt(method: .post, content: attempt.content)
        case (.addressTooLong, _) where attempt.method == .get:
            return Attempt(method: .post, content: attempt.content)
        default:
            return nil
        }
    }

    /// Returns true if the refusal means that the server's list does not contain the document.
    func meansUnlisted(_ refusal: Refusal) -> Bool {
        switch refusal {
        case .notListed: true
        case .notFound, .notSupported: settings.mode == .listedOnly
        case .methodNotAllowed, .addressTooLong: false
        }
    }

    private func method(
        _ method: PersistedQuerySettings.Method, of document: OperationDocument, takesGET: Bool
    ) -> PersistedQuerySettings.Method {
        document.kind == .query && takesGET ? method : .post
    }
}

extension PersistedQueryProtocol.Attempt.Content {
    /// The representation for a ``GraphQLExchange``, without the hash or the identifier.
    var exchangeContent: GraphQLExchange.Content {
        switch self {
        case .document: .document
        case .hash: .hash
        case .hashAndDocument: .hashAndDocument
        case .identifier: .identifier
        }
    }
}
