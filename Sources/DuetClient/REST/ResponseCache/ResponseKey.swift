package import HTTPTypes

/// The key of the stored responses to a request. The variants of a response for different request header fields
/// (``Variation``) share a key. Each part of the key is a digest.
package struct ResponseKey: Sendable, Hashable {
    /// The digest of the scheme, the host, the port and the path.
    package let resource: String
    /// The digest of the query.
    package let query: String
    /// The digest of the method and the user.
    package let scope: String

    init(resource: String, query: String, scope: String) {
        self.resource = resource
        self.query = query
        self.scope = scope
    }

    /// Creates the key of a request.
    /// - Parameter partition: The identifier of the user. A user never receives the stored responses of a different
    ///   user.
    package init(_ request: HTTPRequest, partition: String) {
        let path = request.path ?? "/"
        let end = path.firstIndex(of: "?") ?? path.endIndex
        resource = Self.resource(request, path: path[..<end])
        query = Digest.text(of: [String(path[end...])])
        scope = Digest.text(of: [request.method.rawValue, partition])
    }

    /// Returns the digest of the request's resource. It does not depend on the method, the user or the query.
    package static func resource(_ request: HTTPRequest) -> String {
        resource(request, path: (request.path ?? "/").prefix { $0 != "?" })
    }

    private static func resource(_ request: HTTPRequest, path: Substring) -> String {
        Digest.text(of: [(request.scheme ?? "").lowercased(), (request.authority ?? "").lowercased(), String(path)])
    }

    /// The prefix of the names of all stored responses with this key.
    package var prefix: String { "\(resource)-\(query)-\(scope)-" }
}
