import Crypto
import DuetHTTPSemantics
import Foundation
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
    /// - Parameter partition: The texts that identify the user. A user never receives the stored responses of a
    ///   different user.
    package init(_ request: HTTPRequest, partition: [String]) {
        let path = request.path ?? "/"
        let end = path.firstIndex(of: "?") ?? path.endIndex
        resource = Self.resource(request, path: path[..<end])
        query = Digest.text(of: [String(path[end...])])
        scope = Self.scope(request.method, partition: partition)
    }

    /// The scopes of all keys of requests whose caller has an identity.
    static func scopes(ofCaller identity: String?) -> Set<String> {
        Set([HTTPRequest.Method.get, .head].map { scope($0, partition: Caller.key(of: identity)) })
    }

    private static func scope(_ method: HTTPRequest.Method, partition: [String]) -> String {
        Digest.text(of: [method.rawValue] + partition)
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

/// The request header fields that a response depends on (`Vary`, RFC 9111 §4.1).
package struct Variation: Sendable, Hashable, Codable {
    /// The lowercase names, sorted.
    let names: [String]

    /// Parses the `Vary` field of a response. Returns `nil` for `Vary: *`: such a response depends on more than header
    /// fields and cannot be reused.
    package init?(_ response: HTTPResponse) {
        let names = response.headerFields[values: .vary].flatMap { $0.split(separator: ",") }
            .map { $0.trimmingOptionalWhitespace().lowercased() }
        guard !names.contains("*") else { return nil }
        self.names = Set(names).filter { !$0.isEmpty }.sorted()
    }

    /// Returns a digest of the request header fields that the response depends on. The response can be reused for a
    /// request with an equal digest.
    ///
    /// The values are not stored as text, because `Authorization` can be among the fields.
    package func selector(of request: HTTPRequest) -> String {
        var parts: [String] = []
        for name in names {
            let values = HTTPField.Name(name).map { request.headerFields[values: $0] } ?? []
            parts.append(name)
            // White space around the members of a list is not significant.
            parts.append(
                values.flatMap { $0.split(separator: ",") }.map { $0.trimmingOptionalWhitespace() }
                    .joined(separator: ","))
        }
        return Digest.text(of: parts)
    }
}

/// Creates digests for file names. A digest does not reveal its input.
enum Digest {
    /// Returns 128 bits of the SHA-256 hash of the texts, as 32 hexadecimal digits.
    static func text(of parts: [String]) -> String {
        var hash = SHA256()
        for part in parts {
            // The length of each part is also hashed. Otherwise, different parts with the same concatenation would have
            // the same digest.
            hash.update(data: Data("\(part.utf8.count):".utf8))
            hash.update(data: Data(part.utf8))
        }
        return hash.finalize().prefix(16).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
