/// The number of bytes on the wire, in one direction.
package struct WireBytes: Sendable, Hashable {
    /// The start line, the header fields, and the empty line after them.
    package var head = 0
    /// The body with its content coding and, if it is chunked, its chunk framing.
    package var body = 0

    /// The sum of head and body.
    package var total: Int { head + body }

    static func + (left: WireBytes, right: WireBytes) -> WireBytes {
        WireBytes(head: left.head + right.head, body: left.body + right.body)
    }
}
