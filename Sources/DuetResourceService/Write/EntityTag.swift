import DuetGraphQL
import DuetSQLDatabase

/// Entity tags as texts. The text is the same as in the field `ETag` of a response (`BodyTag` in DuetHTTPServer).
extension BodyDigest {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// The number of characters for 128 bits, with six bits per character.
    private static let length = 22
    /// The suffixes of content codings.
    private static let suffixes = ["", "-gzip"]

    /// The entity tag: a text in quotes.
    package var entityTag: String {
        var (low, high) = (low, high)
        var text: [UInt8] = [UInt8(ascii: "\"")]
        for _ in 0..<Self.length {
            text.append(Self.alphabet[Int(truncatingIfNeeded: low & 63)])
            low = low >> 6 | high << 58
            high >>= 6
        }
        text.append(UInt8(ascii: "\""))
        return String(decoding: text, as: UTF8.self)
    }

    /// Creates the digest of an entity tag with or without quotes, in any content coding; nil for any other text.
    package init?(entityTag: some StringProtocol) {
        var text = Array(entityTag.utf8)
        if text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") {
            text = Array(text[1..<text.count - 1])
        }
        guard text.count >= Self.length else { return nil }
        var (low, high): (UInt64, UInt64) = (0, 0)
        for byte in text[..<Self.length].reversed() {
            guard let bits = Self.alphabet.firstIndex(of: byte) else { return nil }
            high = high << 6 | low >> 58
            low = low << 6 | UInt64(bits)
        }
        self.init(low: low, high: high)
        // The last character has only two significant bits.
        let known = self.entityTag.utf8.dropFirst().dropLast()
        guard Self.suffixes.contains(where: { text.elementsEqual(Array(known) + Array($0.utf8)) }) else { return nil }
    }

    /// Returns the digest combined with a mask. Applying the function twice returns the original digest.
    func masked(_ mask: (low: UInt64, high: UInt64)) -> BodyDigest {
        BodyDigest(low: low ^ mask.low, high: high ^ mask.high)
    }
}

extension Precondition {
    /// The names of the arguments of mutations.
    static let (required, excluded) = ("ifMatch", "ifNoneMatch")

    /// Reads the arguments of a mutation: `*` or a list of entity tags, as in the fields `If-Match` and
    /// `If-None-Match`. The result is nil if both arguments are missing.
    init?(_ arguments: ObjectValue, mask: BodyDigest?) {
        func states(_ name: String) -> States? {
            guard case .string(let text)? = arguments[name] else { return nil }
            let elements = text.split(separator: ",").map { $0.filter { $0 != " " } }
            guard elements != ["*"] else { return .any }
            return .digests(
                elements.compactMap { BodyDigest(entityTag: $0)?.masked((mask?.low ?? 0, mask?.high ?? 0)) })
        }
        let (required, excluded) = (states(Self.required), states(Self.excluded))
        guard required != nil || excluded != nil else { return nil }
        self.init(required: required, excluded: excluded)
    }
}

extension Resource {
    /// The name of the field with the entity tag of a row. Writable resources have no other member with this name.
    package static let entityTagName = "entityTag"

    /// True if the rows have entity tags in GraphQL: clients can write them, and each row has its own path in REST.
    var hasEntityTag: Bool { hasItems && !writes.isEmpty }
}
