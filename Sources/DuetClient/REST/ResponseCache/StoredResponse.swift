package import Foundation
package import HTTPTypes

/// A response as a cache stores it.
package struct StoredResponse: Sendable, Hashable {
    /// The key of the request.
    package let key: ResponseKey
    /// The header fields of requests that the response depends on.
    package let variation: Variation
    /// The digest of those fields of the request.
    package let selector: String
    /// Status and header fields.
    package private(set) var head: HTTPResponse
    /// The time when the request was sent, or the last request that validated the response.
    package private(set) var requestTime: Date
    /// The time when the head of the response arrived.
    package private(set) var responseTime: Date
    /// The whole body.
    package let body: Data

    /// A response to store; `nil` if it depends on more than header fields.
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

    /// The name of the response among all stored ones.
    package var name: String { key.prefix + selector }

    /// The memory that the response takes, in bytes, roughly.
    package var cost: Int {
        head.headerFields.reduce(body.count + 512) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64 }
    }

    /// True if the response is one to that request (RFC 9111 §4.1).
    package func matches(_ request: HTTPRequest) -> Bool { variation.selector(of: request) == selector }

    /// The age and the lifetime.
    package var freshness: ResponseFreshness {
        ResponseFreshness(head, requestTime: requestTime, responseTime: responseTime)
    }

    /// The header fields that ask the server if the response is still valid (§4.3.1); empty if it has no validator.
    package var conditions: HTTPFields {
        var fields: HTTPFields = [:]
        fields[.ifNoneMatch] = head.headerFields[.eTag]
        fields[.ifModifiedSince] = head.headerFields[.lastModified]
        return fields
    }

    /// The response with the header fields of a 304 (§3.2, §4.3.4); `nil` if the 304 is about another state of the resource.
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
        // The old values would make the response older than it is.
        for name in [HTTPField.Name.age, .date] where !update.contains(name) { fresh.head.headerFields[name] = nil }
        fresh.requestTime = requestTime
        fresh.responseTime = responseTime
        return fresh
    }

    /// The fields that describe the stored bytes, which stay as they are.
    private static let describingContent: Set<HTTPField.Name> = [
        .contentLength, .contentEncoding, .contentRange, .contentType,
    ]

    /// The head without the fields that are for one connection only (§3.1).
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
