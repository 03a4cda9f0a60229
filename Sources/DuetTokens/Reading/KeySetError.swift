/// The reason for which no key of a source can be used, with advice. The description contains no key material.
public struct KeySetError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a reason.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The source cannot be read or has an invalid address.
        case source
        /// The text is longer than 1 MiB.
        case tooLong
        /// The text is not a JSON Web Key Set.
        case malformed
        /// The set has no usable key.
        case noKeys
        /// The secret is too short for its algorithm, or is not a secret.
        case secret
    }

    /// The kind of the reason.
    public let code: Code
    /// The reason and what to do.
    public let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
