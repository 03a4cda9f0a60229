import Foundation
public import HTTPTypes

/// The key of a write: the server performs all requests with the same key as one write, and returns the same response
/// to each of them (`Idempotency-Key`, draft-ietf-httpapi-idempotency-key-header).
///
/// So a client that has received no response can send the write again without performing it twice.
public struct IdempotencyKey: Sendable, Hashable, Codable, LosslessStringConvertible {
    /// The text of the key.
    public let description: String

    /// Creates a random key.
    public init() { description = UUID().uuidString.lowercased() }

    /// Creates a key with a text of 1 to 255 visible ASCII characters. Returns `nil` for any other text. A text that
    /// other clients can guess is unsuitable.
    public init?(_ description: String) {
        let bytes = description.utf8
        guard (1...255).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.description = description
    }

    /// Decodes the text of a key.
    /// - Throws: `DecodingError` if the text is not a key.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let key = IdempotencyKey(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is not a key.")
        }
        self = key
    }

    /// Encodes the text of the key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// The header field with the key, which is a quoted string (RFC 9651, section 3.3.3).
    public var field: HTTPField {
        let text = description.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return HTTPField(name: .idempotencyKey, value: "\"\(text)\"")
    }
}
