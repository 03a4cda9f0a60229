package import NIOCore

/// Writes server-sent events (WHATWG HTML, section 9.2). A body of an event is JSON without line breaks.
package enum EventStreamWriter {
    /// The `Content-Type` of the response.
    package static let contentType = "text/event-stream"

    /// A comment, which clients ignore. It shows that the connection is usable.
    package static let comment = ByteBuffer(string: ":\n\n")

    /// Returns the bytes of a comment with a text of one line, which clients ignore.
    package static func comment(_ text: String) -> ByteBuffer { ByteBuffer(string: ": \(text)\n\n") }

    /// Returns the bytes that set the time after which a client connects again if the stream ends.
    package static func retry(milliseconds: Int) -> ByteBuffer { ByteBuffer(string: "retry: \(milliseconds)\n\n") }

    /// Returns the bytes of an event.
    /// - Parameters:
    ///   - name: The type of the event.
    ///   - identifier: The identifier, which a client sends in `Last-Event-ID` when it reconnects.
    ///   - data: The content; nil for an empty content.
    package static func event(_ name: String, identifier: String? = nil, data: ByteBuffer? = nil) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity((data?.readableBytes ?? 0) + 64)
        bytes.writeString("event: \(name)\n")
        if let identifier { bytes.writeString("id: \(identifier)\n") }
        bytes.writeString("data: ")
        if let data { bytes.writeImmutableBuffer(data) }
        bytes.writeString("\n\n")
        return bytes
    }
}
