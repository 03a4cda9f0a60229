import Crypto
import DuetHTTPSemantics
package import Foundation
package import HTTPTypes

/// A stored response.
package struct StoredResponse: Sendable, Hashable {
    /// The key of the request.
    package let key: ResponseKey
    /// The request header fields that the response depends on.
    package let variation: Variation
    /// The digest of the values that these header fields have in the request.
    package let selector: String
    /// The status and the header fields.
    package private(set) var head: HTTPResponse
    /// The time when the request or the last validation request was sent.
    package private(set) var requestTime: Date
    /// The time when the head of the response or of the last validation response arrived.
    package private(set) var responseTime: Date
    /// The complete body.
    package let body: Data

    /// Creates a response to store. Returns `nil` if the response depends on anything other than header fields.
    package init?(
        _ head: HTTPResponse, body: Data, to request: HTTPRequest, key: ResponseKey, requestTime: Date,
        responseTime: Date
    ) {
        guard let variation = Variation(head) else { return nil }
        self.init(
            key: key, variation: variation, selector: variation.selector(of: request), head: Self.storable(head),
            requestTime: requestTime, responseTime: responseTime, body: body)
    }

    init(
        key: ResponseKey, variation: Variation, selector: String, head: HTTPResponse, requestTime: Date,
        responseTime: Date, body: Data
    ) {
        self.key = key
        self.variation = variation
        self.selector = selector
        self.head = head
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.body = body
    }

    /// The unique name of the stored response.
    package var name: String { key.prefix + selector }

    /// The approximate size in memory, in bytes.
    package var cost: Int {
        head.headerFields.reduce(body.count + 512) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64 }
    }

    /// Returns true if the response can be used for the request (RFC 9111 §4.1).
    package func matches(_ request: HTTPRequest) -> Bool { variation.selector(of: request) == selector }

    /// The age and the freshness lifetime.
    package var freshness: ResponseFreshness {
        ResponseFreshness(head, requestTime: requestTime, responseTime: responseTime)
    }

    /// The header fields of a request that validates this response, such as `If-None-Match` (§4.3.1); empty if the
    /// response has no validator.
    package var conditions: HTTPFields {
        var fields: HTTPFields = [:]
        fields[.ifNoneMatch] = head.headerFields[.eTag]
        fields[.ifModifiedSince] = head.headerFields[.lastModified]
        return fields
    }

    /// Returns the response with the header fields of a 304 response (§3.2, §4.3.4). Returns `nil` if the 304 response
    /// refers to a different state of the resource.
    package func freshened(by head: HTTPResponse, requestTime: Date, responseTime: Date) -> StoredResponse? {
        if let tag = head.headerFields[.eTag].flatMap(EntityTag.init),
            tag.opaque != self.head.headerFields[.eTag].flatMap(EntityTag.init)?.opaque
        {
            return nil
        }
        var fresh = self
        let update = Self.storable(head).headerFields
        for name in Set(update.map(\.name)) where !Self.describingContent.contains(name) {
            fresh.head.headerFields[values: name] = update[values: name]
        }
        // If the 304 response lacks `Age` or `Date`, the value of the stored response would make the computed age too
        // high.
        for name in [HTTPField.Name.age, .date] where !update.contains(name) { fresh.head.headerFields[name] = nil }
        fresh.requestTime = requestTime
        fresh.responseTime = responseTime
        return fresh
    }

    /// The fields that describe the stored bytes. A 304 response does not change them.
    private static let describingContent: Set<HTTPField.Name> = [
        .contentLength, .contentEncoding, .contentRange, .contentType,
    ]

    /// Returns the head without the fields that only apply to the connection (§3.1).
    private static func storable(_ head: HTTPResponse) -> HTTPResponse {
        var head = head
        let listed = head.headerFields[values: .connection].flatMap { $0.split(separator: ",") }
            .compactMap { HTTPField.Name($0.trimmingOptionalWhitespace()) }
        for name in [.connection, .proxyAuthenticate, .proxyAuthenticationInfo, .transferEncoding, .upgrade] + listed {
            head.headerFields[name] = nil
        }
        return head
    }
}

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
