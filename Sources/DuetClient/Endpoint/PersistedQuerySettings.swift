public import DuetPersistedDocuments

/// The settings that determine if an endpoint sends the hashes of documents instead of their text.
/// docs/persisted-queries.md describes the server.
public struct PersistedQuerySettings: Sendable {
    /// The representations of documents in requests.
    public enum Mode: Sendable, Hashable {
        /// The client always sends the text of documents.
        case off
        /// The client first sends the hash of a document. It sends the text only if the server does not know the hash
        /// (automatic persisted queries).
        case automatic
        /// The client sends the hash or the identifier of a document, but never the text. The server must have a list
        /// of documents.
        case listedOnly
    }

    /// The HTTP method of a query. Mutations always use POST.
    public enum Method: Sendable, Hashable {
        /// GET: the query is in the request target, so that HTTP caches can store the response.
        case get
        /// POST: the query is in the body.
        case post
    }

    /// The representation of documents in requests.
    public var mode: Mode
    /// The HTTP method of the first request for a query.
    public var queryMethod: Method
    /// The HTTP method of the second request for a query. If the server does not know the hash in the first request,
    /// the client sends a second request with the document.
    public var retryMethod: Method
    /// The server's list of documents for the mode ``Mode-swift.enum/listedOnly``. An operation is not sent if the list
    /// does not contain its document. If there is no list (`nil`), every operation is sent with the hash of the
    /// document.
    public var manifest: PersistedQueryManifest?
    /// The maximum length of a URL in bytes. A request with a longer URL uses POST. RFC 9110, section 4.1, recommends
    /// that servers and proxies support at least 8,000 bytes.
    public var maximumAddressLength: Int

    /// Creates settings. The defaults suit a content delivery network: all clients use the same short URL for a query,
    /// so the network can cache the response. A client sends the text of a document only if the server does not know
    /// the hash.
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

    /// Settings that send each operation with its text and the method POST.
    public static let off = PersistedQuerySettings(.off, queryMethod: .post)

    /// Settings that send only operations whose documents are in the server's list. The client sends the hash or the
    /// identifier of a document, and never the text.
    /// - Parameter manifest: The list, with the identifiers of its documents.
    public static func listed(_ manifest: PersistedQueryManifest) -> PersistedQuerySettings {
        PersistedQuerySettings(.listedOnly, manifest: manifest)
    }
}
