public import DuetPersistedDocuments

/// How an endpoint names documents by their hash in place of sending them (docs/persisted-queries.md describes the server's side).
public struct PersistedQuerySettings: Sendable {
    /// What is sent in place of documents.
    public enum Mode: Sendable, Hashable {
        /// Nothing: documents are sent.
        case off
        /// The hash of a document, and the document when the server does not know it yet: automatic persisted queries.
        case automatic
        /// The hash or the identifier of a document. The text of a document is never sent: the server has a list of documents.
        case listedOnly
    }

    /// The HTTP method of a query. Mutations are always sent by POST.
    public enum Method: Sendable, Hashable {
        /// In the address, so that HTTP caches can store the response.
        case get
        /// In the body.
        case post
    }

    /// What is sent in place of documents.
    public var mode: Mode
    /// The method by which a query is sent first.
    public var queryMethod: Method
    /// The method by which a query is sent with its document, after the server did not know the hash.
    public var retryMethod: Method
    /// The documents that the server lists, with ``Mode-swift.enum/listedOnly``. A document that is not in it is not sent; `nil` to send
    /// the hash of each document.
    public var manifest: PersistedQueryManifest?
    /// The maximum length of an address in bytes. A request that would have a longer one is sent by POST. Many servers and proxies
    /// refuse addresses above 8,000 bytes (RFC 9110, section 4.1).
    public var maximumAddressLength: Int

    /// These settings. The defaults suit a content delivery network: its cache stores the response to a short address, which is equal for
    /// all clients, and a document goes to the server once.
    public init(
        _ mode: Mode = .automatic, queryMethod: Method = .get, retryMethod: Method = .post,
        manifest: PersistedQueryManifest? = nil, maximumAddressLength: Int = 8000
    ) {
        self.mode = mode
        self.queryMethod = queryMethod
        self.retryMethod = retryMethod
        self.manifest = manifest
        self.maximumAddressLength = maximumAddressLength
    }

    /// All operations are sent by POST with their document.
    public static let off = PersistedQuerySettings(.off, queryMethod: .post)

    /// Only documents that the server lists, never their text.
    /// - Parameter manifest: the list, with the identifiers that the server knows.
    public static func listed(_ manifest: PersistedQueryManifest) -> PersistedQuerySettings {
        PersistedQuerySettings(.listedOnly, manifest: manifest)
    }
}
