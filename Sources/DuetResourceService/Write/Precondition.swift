import Crypto
public import NIOCore

/// A digest of a representation: 128 bits of the SHA-256 hash of its body. The digest of a body does not depend on the
/// machine.
///
/// The hash must be collision-resistant. If a client could create two bodies with equal digests, the precondition of
/// another client's write could succeed although the row has changed. Finding two such bodies requires about 2^64
/// hashes.
public struct BodyDigest: Sendable, Hashable {
    /// The first 64 bits of the hash, as a little-endian number.
    public let low: UInt64
    /// The next 64 bits of the hash, as a little-endian number.
    public let high: UInt64

    /// Creates a digest from its halves.
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Creates the digest of a body's readable bytes.
    public init(of body: ByteBuffer) {
        var sha = SHA256()
        body.withUnsafeReadableBytes { sha.update(bufferPointer: $0) }
        self = sha.finalize().withUnsafeBytes { bytes in
            BodyDigest(
                low: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)),
                high: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }
}

/// A precondition of a write (RFC 9110, sections 13.1.1 and 13.1.2). It is evaluated in the transaction of the write,
/// so the row cannot change between the evaluation and the write.
public struct Precondition: Sendable, Hashable {
    /// A set of representations of a row.
    public enum States: Sendable, Hashable {
        /// All representations. The set contains the state of every row that exists.
        case any
        /// The representations that have one of these digests.
        case digests([BodyDigest])

        /// Returns true if the set contains one of the representations of a row.
        /// - Parameter current: The digests of the row's representations; empty if the row does not exist.
        func contain(_ current: [BodyDigest]) -> Bool {
            switch self {
            case .any: !current.isEmpty
            case .digests(let digests): current.contains(where: digests.contains)
            }
        }
    }

    /// The states that the row must have (`If-Match`); nil if the request has no such condition.
    public var required: States?
    /// The states that the row must not have (`If-None-Match`); nil if the request has no such condition.
    public var excluded: States?

    /// Creates a precondition.
    public init(required: States? = nil, excluded: States? = nil) {
        self.required = required
        self.excluded = excluded
    }

    /// Checks the precondition.
    /// - Parameter bodies: The row's representations; empty if the row does not exist.
    /// - Throws: ``ServiceError`` with the code `precondition-failed` if the precondition is false.
    func check(_ bodies: [ByteBuffer]) throws {
        let current = bodies.map(BodyDigest.init)
        guard required?.contain(current) != false, excluded?.contain(current) != true else {
            throw ServiceError(
                .preconditionFailed,
                "the current state of the resource does not satisfy If-Match or If-None-Match; read it again")
        }
    }
}
