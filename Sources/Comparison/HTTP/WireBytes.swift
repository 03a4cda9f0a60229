/// The number of bytes on the wire, in one direction.
package struct WireBytes: Sendable, Hashable {
    /// The start line and the header fields, including the empty line that follows.
    package var head = 0
    /// The body with its content coding and its framing.
    package var body = 0

    /// The sum of head and body.
    package var total: Int { head + body }

    static func + (left: WireBytes, right: WireBytes) -> WireBytes {
        WireBytes(head: left.head + right.head, body: left.body + right.body)
    }
}
