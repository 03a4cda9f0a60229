/// Bytes on the wire, in one direction.
package struct WireBytes: Sendable, Hashable {
    /// The first line and the fields, with the empty line behind them.
    package var head = 0
    /// The rest: the body with its coding, and what frames it.
    package var body = 0

    /// Both.
    package var total: Int { head + body }

    static func + (left: WireBytes, right: WireBytes) -> WireBytes {
        WireBytes(head: left.head + right.head, body: left.body + right.body)
    }
}
