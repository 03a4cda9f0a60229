package import NIOCore

/// A strong entity tag (RFC 9110 §8.8.3): a hash of a response body and its media type, so that equal bodies have equal tags on
/// every machine and nothing has to be stored, and representations that mean something else have another tag, even where their
/// bytes are the same (§8.8.1).
///
/// A body has one tag, and each of its content codings is a representation with a tag of its own (§8.8.3.3): the tag
/// `"abc"` of the bytes as they are becomes `"abc-gzip"` for the same body compressed. A client may send back either;
/// ``matches(opaque:)`` is the one place where both count as the same body, and all comparisons go through it.
package struct EntityTag: Hashable, Sendable {
    private let hash: ContentHash

    /// The tag of a body of a media type, given the readable bytes before any content coding.
    package init(hashing body: ByteBuffer, as mediaType: String) {
        let content = body.withUnsafeReadableBytes { ContentHash($0) }
        var mediaType = mediaType
        let type = mediaType.withUTF8 { ContentHash(UnsafeRawBufferPointer($0)) }
        hash = ContentHash(low: content.low ^ type.low, high: content.high ^ type.high)
    }

    /// The value of the `ETag` field for the body in `coding`: 22 characters in quotes, with `-gzip` where it applies.
    package func fieldValue(coding: ContentCoding = .identity) -> String {
        let suffix = Self.suffix(of: coding)
        return String(unsafeUninitializedCapacity: Self.opaqueLength + suffix.utf8CodeUnitCount + 2) { target in
            var count = 0
            func append(_ byte: UInt8) {
                target.initializeElement(at: count, to: byte)
                count += 1
            }
            append(.quote)
            var characters = Characters(self.hash)
            for _ in 0..<Self.opaqueLength { append(characters.next()) }
            for index in 0..<suffix.utf8CodeUnitCount { append(suffix.utf8Start[index]) }
            append(.quote)
            return count
        }
    }

    /// Whether `opaque`, the characters between the quotes of a tag, means this body, in whatever content coding.
    func matches(opaque: UnsafeBufferPointer<UInt8>) -> Bool {
        guard opaque.count >= Self.opaqueLength else { return false }
        var characters = Characters(self.hash)
        for index in 0..<Self.opaqueLength where opaque[index] != characters.next() {
            return false
        }
        let rest = UnsafeBufferPointer(rebasing: opaque[Self.opaqueLength...])
        return ContentCoding.allCases.contains { rest.equals(Self.suffix(of: $0)) }
    }

    /// 128 bits in characters of six bits each.
    private static let opaqueLength = 22

    private static func suffix(of coding: ContentCoding) -> StaticString {
        switch coding {
        case .identity: ""
        case .gzip: "-gzip"
        }
    }

    /// The characters of a hash: six bits each, from the low end, in the URL-safe alphabet of RFC 4648 §5.
    private struct Characters {
        private var low: UInt64
        private var high: UInt64

        init(_ hash: ContentHash) {
            self.low = hash.low
            self.high = hash.high
        }

        mutating func next() -> UInt8 {
            let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            let bits = Int(truncatingIfNeeded: self.low & 63)
            self.low = self.low >> 6 | self.high << 58
            self.high >>= 6
            return alphabet.utf8Start[bits]
        }
    }
}

extension EntityTag: CustomStringConvertible {
    /// The tag as in the `ETag` field of the body without a content coding.
    package var description: String {
        self.fieldValue()
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func equals(_ text: StaticString) -> Bool {
        self.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
