package import DuetTokens
import Foundation

/// The address of a key set: https, or http on the machine itself.
package struct KeySetAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address as a text, without a fragment.
    let url: String
    private let scheme: String

    /// True if a text has the form of an address, and is not the path of a file.
    package static func isAddress(_ text: String) -> Bool { text.contains("://") }

    /// - Throws: ``KeySetError`` for an address that is not permitted.
    package init(_ text: String) throws(KeySetError) {
        guard let components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
            let host = components.host, !host.isEmpty
        else { throw KeySetError(.source, "the address of the token keys is not a URL; it begins with https://") }
        guard components.user == nil, components.password == nil else {
            throw KeySetError(.source, "the address of the token keys must not have a user name or a password")
        }
        guard (1...65_535).contains(components.port ?? 1) else {
            throw KeySetError(.source, "the port in the address of the token keys must be from 1 to 65535")
        }
        guard scheme == "https" || scheme == "http" && Self.isLoopback(host) else {
            throw KeySetError(
                .source,
                "the address of the token keys must begin with https://; http:// is permitted for localhost only")
        }
        self.init(components, scheme)
    }

    private init(_ components: URLComponents, _ scheme: String) {
        var components = components
        components.fragment = nil
        url = components.string ?? ""
        self.scheme = scheme
    }

    /// Returns the target of a redirection; nil if it is not permitted. A redirection does not change the scheme.
    func redirected(to location: String) -> KeySetAddress? {
        guard let base = URL(string: url), let target = URL(string: location, relativeTo: base),
            let address = try? KeySetAddress(target.absoluteString), address.scheme == scheme
        else { return nil }
        return address
    }

    /// The address without its query, which can contain a secret.
    package var description: String { String(url.prefix { $0 != "?" }) }

    private static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
