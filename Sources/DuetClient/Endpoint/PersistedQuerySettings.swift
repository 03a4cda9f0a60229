public import DuetPersistedDocuments

/// The settings by which an endpoint sends hashes in place of documents (docs/persisted-queries.md describes the
/// server).
public struct PersistedQuerySettings: Sendable {
    /// The content that is sent in place of documents.
    public enum Mode: Sendable, Hashable {
        /// Documents are always sent.
        case off
        /// The hash of a document is sent first, and the document only if the server does not know the hash (automatic
        /// persisted queries).
        case automatic
        /// The hash or the identifier of a document is sent, never the text. The server has a list of documents.
        case listedOnly
    }

    /// The HTTP method of a query. Mutations are always sent by POST.
    public enum Method: Sendable, Hashable {
        /// The query is in the request target, so that HTTP caches can store the response.
        case get
        /// The query is in the body.
        case post
    }

    /// The content that is sent in place of documents.
    public var mode: Mode
    /// The method of the first attempt to send a query.
    public var queryMethod: Method
    /// The method of the attempt that sends a query with its document, after the server did not know the hash.
    public var retryMethod: Method
    /// The list of the server's documents for ``Mode-swift.enum/listedOnly``. A document that the list does not contain
    /// is not sent. `nil` to send the hash of each document.
    public var manifest: PersistedQueryManifest?
    /// The maximum length of an address in bytes. A request with a longer address is sent by POST. Many servers and
    /// proxies reject addresses above 8,000 bytes (RFC 9110, section 4.1).
    public var maximumAddressLength: Int

    /// Creates settings. The defaults suit a content delivery network: all clients send the same short address, so its
    /// cache can store the response, and each document is sent to the server once.
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

    /// Settings that send all operations by POST with their document.
    public static let off = PersistedQuerySettings(.off, queryMethod: .post)

    /// Settings that send only documents of the server's list, and never their text.
    /// - Parameter manifest: The list, with the identifiers that the server knows.
    public static func listed(_ manifest: PersistedQueryManifest) -> PersistedQuerySettings {
        PersistedQuerySettings(.listedOnly, manifest: manifest)
    }
}
