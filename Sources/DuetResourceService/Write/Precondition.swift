import Crypto
public import NIOCore

/// A digest of a representation: 128 bits of the SHA-256 of its body. Equal bodies have equal digests on every machine.
///
/// A client that could make two bodies with one digest could make a write succeed after a change that the writer has not seen. To find
/// two such bodies takes about 2^64 hashes.
public struct BodyDigest: Sendable, Hashable {
    /// The first 64 bits, as a little-endian number.
    public let low: UInt64
    /// The next 64 bits.
    public let high: UInt64

    /// Creates the digest with these halves.
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Creates the digest of the readable bytes of a body.
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

/// A condition on the state before a write (RFC 9110, §13.1.1 and §13.1.2). It is evaluated in the write's own transaction, so the
/// state that it sees is the one that is changed.
public struct Precondition: Sendable, Hashable {
    /// Representations of a row.
    public enum States: Sendable, Hashable {
        /// Any: the row is there.
        case any
        /// Those with one of the digests.
        case digests([BodyDigest])

        /// - Parameter current: The digest of the row's representation; nil if the row is not there.
        func contain(_ current: BodyDigest?) -> Bool {
            guard let current else { return false }
            return switch self {
            case .any: true
            case .digests(let digests): digests.contains(current)
            }
        }
    }

    /// The states of which the row must have one (`If-Match`); nil for no such condition.
    public var required: States?
    /// The states of which the row must have none (`If-None-Match`); nil for no such condition.
    public var excluded: States?

    /// Creates a condition.
    public init(required: States? = nil, excluded: States? = nil) {
        self.required = required
        self.excluded = excluded
    }

    /// - Parameter body: The row's representation; nil if the row is not there.
    /// - Throws: ``ServiceError`` with code `precondition-failed`.
    func check(_ body: ByteBuffer?) throws {
        let current = body.map(BodyDigest.init)
        guard required?.contain(current) != false, excluded?.contain(current) != true else {
            throw ServiceError(
                .preconditionFailed, "the resource is not as If-Match or If-None-Match say; read it again")
        }
    }
}
