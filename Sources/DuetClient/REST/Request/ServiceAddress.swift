import Foundation

/// The percent-encoded components of an `http` or `https` address.
struct ServiceAddress: Sendable, Hashable {
    /// `http` or `https`.
    let scheme: String
    /// The host, followed by the port if the address contains a port.
    let authority: String
    /// The path. It is never empty.
    var path: String
    /// The text after the question mark; `nil` if there is no question mark.
    var query: String?

    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host(percentEncoded: true), !host.isEmpty, url.user() == nil
        else { return nil }
        self.scheme = scheme
        // Foundation removes the brackets of an IPv6 address. They are required in an authority.
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host.lowercased()
        authority = url.port.map { "\(name):\($0)" } ?? name
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        query = url.query(percentEncoded: true)
    }

    /// The path and the query: the target of the request.
    var pathAndQuery: String { query.map { "\(path)?\($0)" } ?? path }

    /// The complete address.
    var url: URL? { URL(string: "\(scheme)://\(authority)\(pathAndQuery)") }

    /// The path with a slash at its end.
    var folder: String { path.hasSuffix("/") ? path : path + "/" }

    /// Returns the path and the query of an address with the same origin, relative to this address. They begin with a
    /// slash if the path is not below the path of this address.
    func target(of other: ServiceAddress) -> String {
        let isBelow = other.path.hasPrefix(folder) && other.path != folder && !other.path.hasPrefix(folder + "/")
        let path = isBelow ? String(other.path.dropFirst(folder.count)) : other.path
        return other.query.map { "\(path)?\($0)" } ?? path
    }

    /// Returns the address of a path and a query, as ``target(of:)`` returns them.
    func address(of target: String) -> ServiceAddress {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts.first ?? "")
        var address = self
        address.path = path.hasPrefix("/") ? path : folder + path
        address.query = parts.count > 1 ? String(parts[1]) : nil
        return address
    }

    /// Returns true if both addresses have the same scheme, host and port (RFC 9110 §4.3.1).
    func isSameOrigin(as other: ServiceAddress) -> Bool {
        scheme == other.scheme && authorityWithPort == other.authorityWithPort
    }

    /// The host and the port. If the address contains no port, the default port of the scheme is used.
    private var authorityWithPort: String {
        let hasPort = authority.wholeMatch(of: /.*:[0-9]+/) != nil
        return hasPort ? authority : "\(authority):\(scheme == "https" ? 443 : 80)"
    }
}
