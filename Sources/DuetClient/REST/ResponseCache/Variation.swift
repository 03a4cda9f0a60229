import Crypto
import DuetHTTPSemantics
import Foundation
package import HTTPTypes

/// The request header fields that a response depends on (`Vary`, RFC 9111 §4.1).
package struct Variation: Sendable, Hashable, Codable {
    /// The lowercase names, sorted.
    let names: [String]

    /// Parses the `Vary` field of a response. Returns `nil` for `Vary: *`: such a response depends on more than header
    /// fields and cannot be reused.
    package init?(_ response: HTTPResponse) {
        let names = response.headerFields[values: .vary].flatMap { $0.split(separator: ",") }
            .map { $0.trimmingOptionalWhitespace().lowercased() }
        guard !names.contains("*") else { return nil }
        self.names = Set(names).filter { !$0.isEmpty }.sorted()
    }

    /// Returns a digest of the request header fields that the response depends on. The response can be reused for a
    /// request with an equal digest.
    ///
    /// The values are not stored as text, because `Authorization` can be among the fields.
    package func selector(of request: HTTPRequest) -> String {
        var parts: [String] = []
        for name in names {
            let values = HTTPField.Name(name).map { request.headerFields[values: $0] } ?? []
            parts.append(name)
            // White space around the members of a list is not significant.
            parts.append(
                values.flatMap { $0.split(separator: ",") }.map { $0.trimmingOptionalWhitespace() }
                    .joined(separator: ","))
        }
        return Digest.text(of: parts)
    }
}

/// Creates digests for file names. A digest does not reveal its input.
enum Digest {
    /// Returns 128 bits of the SHA-256 hash of the texts, as 32 hexadecimal digits.
    static func text(of parts: [String]) -> String {
        var hash = SHA256()
        for part in parts {
            // The length of each part is also hashed. Otherwise, different parts with the same concatenation would have
            // the same digest.
            hash.update(data: Data("\(part.utf8.count):".utf8))
            hash.update(data: Data(part.utf8))
        }
        return hash.finalize().prefix(16).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
