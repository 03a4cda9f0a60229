package import DuetHTTPSemantics
package import NIOCore

/// A strong entity tag (RFC 9110 §8.8.3): 128 bits of a hash of a response body.
///
/// Equal bodies of the same media type have equal tags on every machine, so tags need not be stored.
///
/// Each content coding of a body is a representation with its own tag (§8.8.3.3). The tag `"abc"` of a body becomes
/// `"abc-gzip"` for the same body in gzip. A client may send either tag. All comparisons use ``matches(opaque:)``,
/// which treats both as tags of the same body.
package struct BodyTag: Hashable, Sendable {
    /// The lower 64 bits.
    package let low: UInt64
    /// The upper 64 bits.
    package let high: UInt64

    /// Creates a tag from its halves, for a hash that the application has computed.
    ///
    /// If clients write the resource with `If-Match`, the hash must resist collisions. Otherwise a client could create
    /// two bodies with equal tags, and replace one body with the other. A second client with the tag of the first body
    /// could then write with `If-Match`, although the body has changed.
    package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Creates the tag of a body with ``ContentHash``. Use this initializer only for representations that clients
    /// cannot write. Representations of different media types have different tags even if their bytes are equal
    /// (§8.8.1).
    ///
    /// A client that controls the content can create two bodies with equal tags. A cache that stores the first body
    /// then receives a 304 although the second body is current.
    /// - Parameters:
    ///   - body: The readable bytes before any content coding.
    ///   - mediaType: The media type of the body.
    package init(hashing body: ByteBuffer, as mediaType: String) {
        var mediaType = mediaType
        let content = body.withUnsafeReadableBytes { ContentHash($0) }
        let type = mediaType.withUTF8 { ContentHash(UnsafeRawBufferPointer($0)) }
        low = content.low ^ type.low
        high = content.high ^ type.high
    }

    /// Creates a tag from the characters between its quotes. They may end with the suffix of a content coding.
    /// - Returns: nil if the characters do not form a tag of this type.
    package init?(opaque: UnsafeBufferPointer<UInt8>) {
        guard opaque.count >= Self.opaqueLength else { return nil }
        var (low, high): (UInt64, UInt64) = (0, 0)
        for byte in opaque[..<Self.opaqueLength].reversed() {
            guard let bits = (0..<64).first(where: { Self.alphabet.utf8Start[$0] == byte }) else { return nil }
            high = high << 6 | low >> 58
            low = low << 6 | UInt64(bits)
        }
        self.init(low: low, high: high)
        // The last character has only two significant bits, and the suffix must be a known content coding. `matches`
        // checks both.
        guard matches(opaque: opaque) else { return nil }
    }

    /// Returns the value of the `ETag` field for the body in `coding`: a quoted string of 22 characters. For gzip, the
    /// suffix `-gzip` precedes the closing quote.
    package func fieldValue(coding: ContentCoding = .identity) -> String {
        let suffix = Self.suffix(of: coding)
        return String(unsafeUninitializedCapacity: Self.opaqueLength + suffix.utf8CodeUnitCount + 2) { target in
            var count = 0
            func append(_ byte: UInt8) {
                target.initializeElement(at: count, to: byte)
                count += 1
            }
            append(.quote)
            var characters = Characters(low: self.low, high: self.high)
            for _ in 0..<Self.opaqueLength { append(characters.next()) }
            for index in 0..<suffix.utf8CodeUnitCount { append(suffix.utf8Start[index]) }
            append(.quote)
            return count
        }
    }

    /// Returns true if `opaque`, the characters between the quotes of a tag, identifies this body in any content
    /// coding.
    package func matches(opaque: UnsafeBufferPointer<UInt8>) -> Bool {
        guard opaque.count >= Self.opaqueLength else { return false }
        var characters = Characters(low: self.low, high: self.high)
        for index in 0..<Self.opaqueLength where opaque[index] != characters.next() {
            return false
        }
        let rest = UnsafeBufferPointer(rebasing: opaque[Self.opaqueLength...])
        return ContentCoding.allCases.contains { rest.equals(Self.suffix(of: $0)) }
    }

    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    /// The number of characters for 128 bits, with six bits per character.
    private static let opaqueLength = 22

    private static func suffix(of coding: ContentCoding) -> StaticString {
        switch coding {
        case .identity: ""
        case .gzip: "-gzip"
        }
    }

    /// The characters of a hash in the URL-safe alphabet of RFC 4648 §5. Each character encodes six bits, beginning
    /// with the lowest bits.
    private struct Characters {
        var low: UInt64
        var high: UInt64

        mutating func next() -> UInt8 {
            let bits = Int(truncatingIfNeeded: self.low & 63)
            self.low = self.low >> 6 | self.high << 58
            self.high >>= 6
            return BodyTag.alphabet.utf8Start[bits]
        }
    }
}

extension BodyTag: CustomStringConvertible {
    /// The value of the `ETag` field for the body without a content coding.
    package var description: String {
        self.fieldValue()
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func equals(_ text: StaticString) -> Bool {
        self.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
