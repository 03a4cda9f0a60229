package import DuetTokens

/// The keys that an operator configures: a file or a URL with a key set, a secret, or both.
package struct TokenKeys: Sendable {
    /// The source for a `TokenAuthenticator`.
    package let source: any TokenKeySource
    /// The service that fetches the keys, which must run; nil if the keys are not at a URL.
    package let remote: RemoteKeySet?
    /// The file of the keys, which can be read again; nil if the keys are not in a file.
    package let file: TokenKeyFile?
    /// The warnings of a file. The warnings of a URL are observations.
    package let warnings: [String]

    /// Reads the keys of a file. Keys at a URL are fetched later.
    /// - Parameters:
    ///   - location: A path, or a URL that begins with `https://`.
    ///   - secret: The secret for `HS256`, `HS384` and `HS512`.
    ///   - observe: The function that receives the events of a URL.
    /// - Throws: ``KeySetError``.
    package init(
        location: String?, secret: String?, observe: @escaping @Sendable (RemoteKeySet.Observation) -> Void
    ) throws(KeySetError) {
        var shared: JSONWebKeySet?
        if let secret { shared = try JSONWebKeySet(secret: secret.utf8) }
        guard let location else {
            guard let shared else { throw KeySetError(.source, "there is neither a key set nor a secret for tokens") }
            source = StaticKeySource(shared)
            (remote, file, warnings) = (nil, nil, [])
            return
        }
        if KeySetAddress.isAddress(location) {
            let remote = RemoteKeySet(try KeySetAddress(location), adding: shared, observe: observe)
            (source, self.remote, file, warnings) = (remote, remote, nil, [])
        } else {
            let file = try TokenKeyFile(location, adding: shared)
            (source, remote, self.file, warnings) = (file, nil, file, file.warnings)
        }
    }

    /// The reason for which the keys cannot be used yet, as a sentence for the operator; nil if they can be used.
    package var problem: String? { remote?.problem }
}
