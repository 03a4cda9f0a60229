import Foundation
import HTTPTypes

/// The collector that receives the traces, and the identity of the program in them.
package struct OTLPSettings: Sendable {
    /// A setting cannot be used. The description never contains its value, which can be a secret.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// The URL to which traces are posted.
    let url: String
    /// The name of the service.
    package var serviceName = "duet"
    /// Further header fields of each request, such as `Authorization`. They can be secrets.
    private(set) var headers: [(name: String, value: String)] = []

    /// The fields that the exporter sets, and that determine the connection.
    private static let reserved: Set = [
        "connection", "content-length", "content-type", "host", "transfer-encoding", "user-agent",
    ]

    /// - Parameter endpoint: The base URL of a collector, such as `http://localhost:4318`. The path of traces,
    ///   `/v1/traces`, is appended, as the OTLP specification requires.
    /// - Throws: ``Unusable`` if the text is not such a URL.
    package init(endpoint: String) throws(Unusable) {
        guard let components = URLComponents(string: endpoint),
            ["http", "https"].contains(components.scheme?.lowercased()), let host = components.host, !host.isEmpty
        else { throw Unusable(description: "a URL that begins with http:// or https://") }
        guard components.user == nil, components.password == nil, components.query == nil, components.fragment == nil
        else { throw Unusable(description: "a URL without a user name, a password, a query and a fragment") }
        guard (1...65_535).contains(components.port ?? 1) else {
            throw Unusable(description: "a URL with a port from 1 to 65535")
        }
        let base = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
        url = base + "/v1/traces"
    }

    /// Sets the header fields.
    /// - Parameter list: Names and percent-encoded values: `name=value,name=value`, as in `OTEL_EXPORTER_OTLP_HEADERS`.
    /// - Throws: ``Unusable``.
    package mutating func setHeaders(_ list: String) throws(Unusable) {
        var headers: [(name: String, value: String)] = []
        for member in list.split(separator: ",") {
            let sides = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard sides.count == 2, let name = HTTPField.Name(sides[0]), let value = sides[1].removingPercentEncoding,
                HTTPField.isValidValue(value), !value.isEmpty
            else { throw Unusable(description: "a list of header fields, as in name=value,name=value") }
            guard !Self.reserved.contains(name.canonicalName) else {
                throw Unusable(description: "a list of header fields without \(name.canonicalName)")
            }
            headers.append((name.rawName, value))
        }
        self.headers = headers
    }
}
