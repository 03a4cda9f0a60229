package import HTTPTypes

/// The key of the stored responses to a request, without their variation. The parts are digests.
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
    /// - Parameter partition: The identifier of the user. Users never receive the stored responses of other users.
    package init(_ request: HTTPRequest, partition: String) {
        let path = request.path ?? "/"
        let end = path.firstIndex(of: "?") ?? path.endIndex
        resource = Self.resource(request, path: path[..<end])
        query = Digest.text(of: [String(path[end...])])
        scope = Digest.text(of: [request.method.rawValue, partition])
    }

    /// Returns the digest of the request's resource, which all methods, users and queries share.
    package static func resource(_ request: HTTPRequest) -> String {
        resource(request, path: (request.path ?? "/").prefix { $0 != "?" })
    }

    private static func resource(_ request: HTTPRequest, path: Substring) -> String {
        Digest.text(of: [(request.scheme ?? "").lowercased(), (request.authority ?? "").lowercased(), String(path)])
    }

    /// The prefix of the names of all stored responses with this key.
    package var prefix: String { "\(resource)-\(query)-\(scope)-" }
}
