package import NIOCore

/// Writes a response in parts ([incremental delivery over
/// HTTP](https://github.com/graphql/graphql-over-http/blob/main/rfcs/IncrementalDelivery.md)): `multipart/mixed` with
/// the boundary `-`. No line of the JSON can be equal to the delimiter of this boundary.
///
/// The delimiter after a part is written with this part, not with the next part. A client only knows that a part is
/// complete when it reads the delimiter. If the delimiter were written with the next part, the client would process
/// each part only when the next part arrives.
package struct MultipartMixedWriter: Sendable {
    /// The `Content-Type` of the response. `incrementalSpec=v0.2` specifies the format that graphql-js uses since
    /// 17.0.0-alpha.9. This format has `pending`, `incremental` and `completed`. Apollo's clients request this format.
    package static let contentType = "multipart/mixed; boundary=\"-\"; incrementalSpec=v0.2"

    private static let partHeader = "Content-Type: application/json; charset=utf-8\r\n\r\n"
    private var isEmpty = true

    /// Creates a writer for a new response.
    package init() {}

    /// Returns the bytes of one part.
    /// - Parameters:
    ///   - json: The content of the part. It contains `hasNext` unless it is the only part.
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

    /// Returns true if the content of a part ends with `"hasNext":false}`.
    package static func isLast(_ json: ByteBuffer) -> Bool {
        let end = #""hasNext":false}"#
        guard json.readableBytes >= end.utf8.count else { return false }
        return json.readableBytesView.suffix(end.utf8.count).elementsEqual(end.utf8)
    }
}
