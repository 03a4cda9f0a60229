package import HTTPTypes

/// Identifies the stored responses to a request, apart from their variation. The parts are digests.
package struct ResponseKey: Sendable, Hashable {
    /// Scheme, host, port and path.
    package let resource: String
    /// The query.
    package let query: String
    /// The method and the user.
    package let scope: String

    init(resource: String, query: String, scope: String) {
        self.resource = resource
        self.query = query
        self.scope = scope
    }

    /// The key of a request.
    /// - Parameter partition: Identifies the user, whose responses no other user receives.
    package init(_ request: HTTPRequest, partition: String) {
        let path = request.path ?? "/"
        let end = path.firstIndex(of: "?") ?? path.endIndex
        resource = Self.resource(request, path: path[..<end])
        query = Digest.text(of: [String(path[end...])])
        scope = Digest.text(of: [request.method.rawValue, partition])
    }

    /// The responses of all methods and users at a path, whatever the query is.
    package static func resource(_ request: HTTPRequest) -> String {
        resource(request, path: (request.path ?? "/").prefix { $0 != "?" })
    }

    private static func resource(_ request: HTTPRequest, path: Substring) -> String {
        Digest.text(of: [(request.scheme ?? "").lowercased(), (request.authority ?? "").lowercased(), String(path)])
    }

    /// The beginning of the names of all stored responses with this key.
    package var prefix: String { "\(resource)-\(query)-\(scope)-" }
}
