import Crypto
import Foundation
package import HTTPTypes

/// The header fields of requests that a response depends on (`Vary`, RFC 9111 §4.1).
package struct Variation: Sendable, Hashable, Codable {
    /// The names in lower case, sorted.
    let names: [String]

    /// The variation of a response; `nil` if it depends on more than header fields (`Vary: *`), so that no other request has it.
    package init?(_ response: HTTPResponse) {
        let names = response.headerFields[values: .vary].flatMap { $0.split(separator: ",") }
            .map { $0.trimmingOptionalWhitespace().lowercased() }
        guard !names.contains("*") else { return nil }
        self.names = Set(names).filter { !$0.isEmpty }.sorted()
    }

    /// A digest of the header fields of a request that the response depends on. Requests with the same digest have the same response.
    ///
    /// It is a digest, rather than the values, because `Authorization` can be among them.
    package func selector(of request: HTTPRequest) -> String {
        var parts: [String] = []
        for name in names {
            let values = HTTPField.Name(name).map { request.headerFields[values: $0] } ?? []
            parts.append(name)
            // White space around the members of a list makes no difference.
            parts.append(
                values.flatMap { $0.split(separator: ",") }.map { $0.trimmingOptionalWhitespace() }
                    .joined(separator: ","))
        }
        return Digest.text(of: parts)
    }
}

/// Names for files that say nothing of what they are made of.
enum Digest {
    /// 128 bits of the SHA-256 of some texts, as 32 hexadecimal digits.
    static func text(of parts: [String]) -> String {
        var hash = SHA256()
        for part in parts {
            // The length, so that other parts with the same text in a row have another digest.
            hash.update(data: Data("\(part.utf8.count):".utf8))
            hash.update(data: Data(part.utf8))
        }
        return hash.finalize().prefix(16).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
