import DuetHTTPSemantics
import NIOHTTP1

/// A request target in one of its four forms (RFC 9112 §3.2).
struct RequestTarget {
    /// The authority in absolute form and authority form; `nil` in the other forms.
    let authority: String?
    /// The path and the query; `*` in asterisk form, `nil` in authority form.
    let path: String?

    private init(authority: String?, path: String?) {
        self.authority = authority
        self.path = path
    }

    /// Parses a target.
    /// - Returns: `nil` if the target has none of the forms, or a form that the method does not allow.
    init?(_ target: String, method: HTTPMethod) {
        if target.utf8.first == .slash {
            self.init(authority: nil, path: target)
        } else if method == .CONNECT {
            self.init(authority: target, path: nil)
        } else if target == "*", method == .OPTIONS {
            self.init(authority: nil, path: target)
        } else {
            self.init(absolute: target)
        }
    }

    /// Creates the target of a request of HTTP/2 from its pseudo-header fields (RFC 9113, section 8.3.1).
    /// - Returns: `nil` if the path has no form that the method allows.
    init?(path: String?, authority: String?, method: HTTPMethod) {
        switch path {
        case nil: guard method == .CONNECT else { return nil }
        case "*"?: guard method == .OPTIONS else { return nil }
        case let path?: guard path.utf8.first == .slash else { return nil }
        }
        self.init(authority: authority, path: path)
    }

    private init?(absolute target: String) {
        guard let scheme = target.firstRange(of: "://"), Self.isHTTP(target[..<scheme.lowerBound]) else { return nil }
        let rest = target[scheme.upperBound...]
        let end = rest.utf8.firstIndex { $0 == .slash || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let authority = rest[..<(end ?? rest.endIndex)]
        guard !authority.isEmpty else { return nil }
        let path = rest[authority.endIndex...]
        self.init(authority: String(authority), path: path.utf8.first == .slash ? String(path) : "/\(path)")
    }

    private static func isHTTP(_ scheme: Substring) -> Bool {
        let scheme = scheme.lowercased()
        return scheme == "http" || scheme == "https"
    }
}
