import Crypto
package import Foundation
import HTTPTypes

/// The file format of a stored response. A file consists of a line with the version, the digest of all following bytes,
/// the length of the head, the head as JSON, and the body. Numbers are big-endian.
extension StoredResponse {
    /// An error in reading the bytes of a stored response.
    package struct Unreadable: Error, Hashable {
        /// The reason, as a clause for a message.
        package let reason: String
    }

    /// The first bytes of each file.
    private static let version = Data("duet-response 1\n".utf8)
    /// The number of bytes before the head.
    private static let prefixLength = version.count + SHA256.byteCount + 4

    private struct Head: Codable {
        let key: [String]
        let variation: Variation
        let selector: String
        let response: HTTPResponse
        let requestTime: Date
        let responseTime: Date
    }

    /// Encodes the response for a file.
    package func encoded() throws -> Data {
        let head = Head(
            key: [key.resource, key.query, key.scope], variation: variation, selector: selector, response: head,
            requestTime: requestTime, responseTime: responseTime)
        let headBytes = try JSONEncoder().encode(head)
        var content = Data()
        content.reserveCapacity(4 + headBytes.count + body.count)
        for shift in [24, 16, 8, 0] { content.append(UInt8(truncatingIfNeeded: headBytes.count >> shift)) }
        content += headBytes
        content += body
        return Self.version + Data(SHA256.hash(data: content)) + content
    }

    /// Decodes the bytes of a file.
    /// - Parameter name: The name of the file.
    /// - Throws: ``Unreadable`` if the bytes are not a complete stored response, or if the response has a different
    ///   name.
    package init(file bytes: Data, name: String) throws(Unreadable) {
        let bytes = Data(bytes)
        guard bytes.starts(with: Self.version) else { throw Unreadable(reason: "it has a different version") }
        guard bytes.count >= Self.prefixLength else { throw Unreadable(reason: "it is truncated") }
        let content = bytes[(Self.version.count + SHA256.byteCount)...]
        guard SHA256.hash(data: content) == bytes[Self.version.count..<content.startIndex] else {
            throw Unreadable(reason: "it is truncated or damaged")
        }
        let headLength = content.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let rest = content.dropFirst(4)
        guard headLength <= rest.count, let head = try? JSONDecoder().decode(Head.self, from: rest.prefix(headLength)),
            head.key.count == 3
        else { throw Unreadable(reason: "its head cannot be read") }
        self.init(
            key: ResponseKey(resource: head.key[0], query: head.key[1], scope: head.key[2]), variation: head.variation,
            selector: head.selector, head: head.response, requestTime: head.requestTime,
            responseTime: head.responseTime, body: Data(rest.dropFirst(headLength)))
        guard self.name == name else { throw Unreadable(reason: "it has the name of another file") }
    }
}
