package import NIOCore

/// A strong entity tag (RFC 9110 §8.8.3): a hash of a response body, so that equal bodies have equal tags on every
/// machine and nothing has to be stored.
///
/// A body has one tag, and each of its content codings is a representation with a tag of its own (§8.8.3.3): the tag
/// `"abc"` of the bytes as they are becomes `"abc-gzip"` for the same body compressed. A client may send back either;
/// ``matches(opaque:)`` is the one place where both count as the same body, and all comparisons go through it.
package struct EntityTag: Hashable, Sendable {
    private let hash: ContentHash

    /// The tag of a body, given the readable bytes before any content coding.
    package init(hashing body: ByteBuffer) {
        self.hash = body.withUnsafeReadableBytes { ContentHash($0) }
    }

    /// The tag of a body, given its bytes before any content coding.
    package init(hashing body: UnsafeRawBufferPointer) {
        self.hash = ContentHash(body)
    }

    /// The value of the `ETag` field for the body in `coding`: 22 characters in quotes, with `-gzip` where it applies.
    package func fieldValue(coding: ContentCoding = .identity) -> String {
        let suffix = Self.suffix(of: coding)
        return String(unsafeUninitializedCapacity: Self.opaqueLength + suffix.utf8CodeUnitCount + 2) { target in
            target.initializeElement(at: 0, to: .quote)
            for index in 0..<Self.opaqueLength {
                target.initializeElement(at: index + 1, to: self.character(at: index))
            }
            var count = Self.opaqueLength + 1
            for index in 0..<suffix.utf8CodeUnitCount {
                target.initializeElement(at: count, to: suffix.utf8Start[index])
                count += 1
            }
            target.initializeElement(at: count, to: .quote)
            return count + 1
        }
    }

    /// Whether `opaque`, the characters between the quotes of a tag, means this body, in whatever content coding.
    func matches(opaque: UnsafeBufferPointer<UInt8>) -> Bool {
        guard opaque.count >= Self.opaqueLength else { return false }
        for index in 0..<Self.opaqueLength where opaque[index] != self.character(at: index) {
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

    /// Six bits of the hash, from the low end, in the URL-safe alphabet of RFC 4648 §5.
    private func character(at index: Int) -> UInt8 {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        let bit = index * 6
        let bits =
            if bit < 64 {
                self.hash.low >> UInt64(bit) | (bit > 58 ? self.hash.high << UInt64(64 - bit) : 0)
            } else {
                self.hash.high >> UInt64(bit - 64)
            }
        return alphabet.utf8Start[Int(bits & 63)]
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
