import Crypto
package import NIOCore

/// The idempotency key of a write. A repetition of the same request has the same key, so the write has its effect once
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// Equal texts are the same key only for the same caller, role and operation.
package struct IdempotencyKey: Sendable, Hashable {
    /// The SHA-256 hash of the text, the caller, the role and the operation.
    let hash: [UInt8]
    /// The SHA-256 hash of the content of the request.
    let payload: [UInt8]
    /// The digest of the permissions of the caller and of its claims; nil if the API has no roles.
    let permissions: BodyDigest?

    /// The sender of a key.
    package struct Sender: Sendable {
        private let issuer: String
        private let subject: String
        private let role: String
        fileprivate let permissions: BodyDigest

        /// Creates a sender.
        /// - Parameters:
        ///   - issuer: The claim `iss` of the token; empty if it has none.
        ///   - subject: The claim `sub` of the token.
        ///   - role: The name of the role.
        ///   - permissions: The digest of the permissions and of the claims that they compare.
        package init(issuer: String, subject: String, role: String, permissions: BodyDigest) {
            self.issuer = issuer
            self.subject = subject
            self.role = role
            self.permissions = permissions
        }

        fileprivate var parts: [String] { [issuer, subject, role] }
    }

    /// Creates a key.
    /// - Parameters:
    ///   - text: A text for which ``isValid(_:)`` is true.
    ///   - sender: The sender; nil if the API has no roles.
    ///   - operation: The operation, such as `POST /orders`.
    ///   - payload: The content of the request.
    package init(_ text: String, from sender: Sender?, operation: String, payload: IdempotencyPayload) {
        var identity = IdempotencyPayload()
        for part in sender?.parts ?? [] { identity.add(part) }
        identity.add(operation)
        identity.add(text)
        hash = identity.digest
        self.payload = payload.digest
        permissions = sender?.permissions
    }

    /// Returns true if a text consists of 1 to 255 visible ASCII characters.
    package static func isValid(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// A sentence about valid keys.
    package static let requirement = "1 to 255 visible ASCII characters without spaces, such as a UUID"
}

/// The hash of the parts of a request. Two requests have the same hash only if all parts are equal.
package struct IdempotencyPayload: Sendable {
    private var hash = SHA256()

    /// Creates the hash of no parts.
    package init() {}

    /// Adds a text, or the absence of a text.
    package mutating func add(_ text: String?) {
        guard var text else { return add(UInt64.max) }
        add(UInt64(text.utf8.count))
        text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a piece of the body. The body must be the last part.
    package mutating func add(_ piece: ByteBuffer) {
        piece.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
    }

    private mutating func add(_ count: UInt64) {
        withUnsafeBytes(of: count.littleEndian) { hash.update(bufferPointer: $0) }
    }

    fileprivate var digest: [UInt8] { Array(hash.finalize()) }
}
