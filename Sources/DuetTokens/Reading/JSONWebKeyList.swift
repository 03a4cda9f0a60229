internal import DuetJSON

/// The usable keys of a JSON Web Key Set (RFC 7517 §5), and a warning for each other key.
package struct JSONWebKeyList: Sendable {
    /// The maximum number of bytes of a set.
    package static let maximumBytes = 1 << 20
    /// The maximum number of keys of a set.
    package static let maximumCount = 256

    package private(set) var keys: [JSONWebKey] = []
    package private(set) var warnings: [String] = []

    /// Reads a set, or a single key.
    /// - Throws: ``KeySetError`` for a text that is neither of them. A set without usable keys is no error here.
    package init(reading bytes: [UInt8]) throws(KeySetError) {
        guard bytes.count <= Self.maximumBytes else {
            throw KeySetError(
                .tooLong,
                "the key set has more than \(Self.maximumBytes) bytes; name a JSON Web Key Set with the public keys of the issuer"
            )
        }
        let elements = try Self.elements(bytes)
        for (index, element) in elements.prefix(Self.maximumCount).enumerated() {
            add(element, at: elements.count == 1 ? "the key" : "keys[\(index)]")
        }
        if elements.count > Self.maximumCount {
            warnings.append("the keys from keys[\(Self.maximumCount)] on are skipped: the set has too many keys")
        }
        dropPublishedSecrets()
    }

    private static func elements(_ bytes: [UInt8]) throws(KeySetError) -> [JSONValue] {
        guard bytes.contains(where: { !$0.isWhitespace }) else {
            throw KeySetError(.malformed, "the key set is empty; \(advice)")
        }
        if bytes.drop(while: \.isWhitespace).starts(with: "-----BEGIN".utf8) {
            throw KeySetError(.malformed, "the key set is in the PEM format; convert its public key to JSON; \(advice)")
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            // The message of the parser can quote the text.
            throw KeySetError(
                .malformed, "the key set is not JSON (line \(error.line), column \(error.column)); \(advice)")
        }
        switch value["keys"] {
        case .array(let elements)?:
            guard !elements.isEmpty else {
                throw KeySetError(.noKeys, "the key set has no keys; \(advice)")
            }
            return elements
        case nil where value["kty"] != nil: return [value]
        default: throw KeySetError(.malformed, "the JSON has no array \"keys\"; \(advice)")
        }
    }

    private static let advice =
        "it must be a JSON Web Key Set (RFC 7517), such as {\"keys\": [{\"kty\": \"EC\", …}]}, with the public keys of the issuer"

    private mutating func add(_ element: JSONValue, at place: String) {
        guard case .object(let members) = element else {
            warnings.append("\(place) is skipped: it is \(element.typeName), not an object")
            return
        }
        do throws(JSONWebKey.Unusable) {
            let key = try JSONWebKey(members)
            // RFC 7517 §4.5: keys of different types may have the same identifier.
            if let keyID = key.keyID,
                keys.contains(where: { $0.keyID?.hasSameUTF8(as: keyID) == true && $0.type == key.type })
            {
                throw JSONWebKey.Unusable("another key has the same identifier")
            }
            keys.append(key)
        } catch {
            warnings.append("\(place)\(Self.name(of: members)) is skipped: \(error.reason)")
        }
    }

    /// Removes secrets from a set that also has public keys. Such a set is meant to be published, and a secret that is
    /// published is none.
    private mutating func dropPublishedSecrets() {
        guard keys.contains(where: { !$0.isSecret }) else { return }
        for key in keys where key.isSecret {
            let name = key.keyID.map { " (kid \(quoted($0)))" } ?? ""
            warnings.append(
                "a shared secret\(name) is skipped: a set with public keys may be published; configure the secret apart"
            )
        }
        keys.removeAll(where: \.isSecret)
    }

    private static func name(of members: JSONObject) -> String {
        if case .string(let keyID)? = members["kid"] { " (kid \(quoted(keyID)))" } else { "" }
    }
}

extension UInt8 {
    /// True for the white space of JSON.
    fileprivate var isWhitespace: Bool { self == 0x20 || (0x09...0x0A).contains(self) || self == 0x0D }
}
