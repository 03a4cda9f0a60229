import DuetJSON
import DuetPersistedDocuments
import Synchronization

/// Decides how an operation is sent, and how again after a refusal, by the protocol of automatic persisted queries.
///
/// It remembers what the server does not support.
final class PersistedQueryProtocol: Sendable {
    /// One way to send an operation.
    struct Attempt: Hashable {
        var method: PersistedQuerySettings.Method
        var content: Content

        /// What takes the place of the document.
        enum Content: Hashable {
            case document
            case hash(String)
            case hashAndDocument(String)
            case identifier(String)
        }
    }

    /// The reason why a server has not looked at an operation.
    enum Refusal: Hashable {
        /// The hash is unknown.
        case notFound
        /// The server takes no hashes.
        case notSupported
        /// The server takes only documents of its list.
        case notListed
        /// The server takes no queries by GET.
        case methodNotAllowed
        /// The address is too long for the server, or for a proxy.
        case addressTooLong
    }

    private struct Memory {
        var takesHashes = true
        var takesGET = true
    }

    private let settings: PersistedQuerySettings
    /// The identifiers of the manifest by the hashes of its documents.
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

    /// The first way to send an operation.
    /// - Returns: `nil` if the document may not be sent.
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
            // An identifier that could be a hash is one to the server, whatever it is the hash of.
            let isHash = DocumentHash(hexadecimal: identifier) != nil
            return Attempt(method: method, content: isHash ? .hash(identifier) : .identifier(identifier))
        }
    }

    /// The next way to send an operation after a refusal.
    /// - Returns: `nil` if there is none.
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

    /// Returns true if a refusal means that the document is not one of the server's list.
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
    /// The same without the value.
    var exchangeContent: GraphQLExchange.Content {
        switch self {
        case .document: .document
        case .hash: .hash
        case .hashAndDocument: .hashAndDocument
        case .identifier: .identifier
        }
    }
}
