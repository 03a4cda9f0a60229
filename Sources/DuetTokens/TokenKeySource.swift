/// A source of the keys of an issuer. The keys can change while a server runs.
public protocol TokenKeySource: Sendable {
    /// Returns the current keys; nil if the source has none yet.
    ///
    /// - Parameter keyID: The identifier of a key that the current keys lack. The source can then fetch the keys again.
    ///   It must limit how often it does so, because any client can send tokens with invented identifiers. Nil for the
    ///   current keys, which the source returns without waiting.
    func keys(knowing keyID: String?) async -> JSONWebKeySet?
}

/// Keys that do not change.
public struct StaticKeySource: TokenKeySource {
    private let set: JSONWebKeySet

    /// Creates a source.
    public init(_ keys: JSONWebKeySet) {
        set = keys
    }

    /// Returns the keys.
    public func keys(knowing keyID: String?) async -> JSONWebKeySet? { set }
}
