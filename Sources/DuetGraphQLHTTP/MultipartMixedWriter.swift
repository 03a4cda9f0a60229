package import NIOCore

/// Writes a response in parts ([incremental delivery over
/// HTTP](https://github.com/graphql/graphql-over-http/blob/main/rfcs/IncrementalDelivery.md)): `multipart/mixed` with
/// the boundary `-`, which JSON cannot contain on a line of its own.
///
/// The delimiter behind a part is written together with the part, not with the next one: a client knows by the
/// delimiter that a part is complete, and would otherwise show each part only when the next one is there.
package struct MultipartMixedWriter: Sendable {
    /// `Content-Type` of the response. The parameter says that parts are `pending`, `incremental` and `completed`, as
    /// graphql-js has them since 17.0.0-alpha.9; Apollo's clients ask for it.
    package static let contentType = "multipart/mixed; boundary=\"-\"; incrementalSpec=v0.2"

    private static let partHeader = "Content-Type: application/json; charset=utf-8\r\n\r\n"
    private var isEmpty = true

    /// A response without parts yet.
    package init() {}

    /// The bytes of one part.
    /// - Parameters:
    ///   - json: The content of the part, with `hasNext` unless it is the only part.
    ///   - isLast: True for the last part. No part may follow it.
    package mutating func part(_ json: ByteBuffer, isLast: Bool) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(json.readableBytes + Self.partHeader.utf8.count + 16)
        if isEmpty { bytes.writeString("\r\n---\r\n") }
        isEmpty = false
        bytes.writeString(Self.partHeader)
        bytes.writeImmutableBuffer(json)
        bytes.writeString(isLast ? "\r\n-----\r\n" : "\r\n---\r\n")
        return bytes
    }

    /// Returns true if the content of a part has `hasNext: false`.
    package static func isLast(_ json: ByteBuffer) -> Bool {
        let end = #""hasNext":false}"#
        guard json.readableBytes >= end.utf8.count else { return false }
        return json.readableBytesView.suffix(end.utf8.count).elementsEqual(end.utf8)
    }
}
