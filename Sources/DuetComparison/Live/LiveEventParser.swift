import NIOCore

/// Reads server-sent events from bytes that arrive in parts (WHATWG HTML, section 9.2). The lines of Duet's events end
/// with a line feed, and each event has one line of data.
struct LiveEventParser {
    struct Event {
        let name: String
        let data: ByteBuffer
    }

    private var bytes = ByteBuffer()

    /// Returns the events that are complete after further bytes. Comments are skipped.
    mutating func read(_ piece: ByteBuffer) -> [Event] {
        bytes.writeImmutableBuffer(piece)
        var events: [Event] = []
        while let block = nextBlock() {
            if let event = Self.event(block) { events.append(event) }
        }
        return events
    }

    /// Returns the bytes before the next empty line.
    private mutating func nextBlock() -> ByteBuffer? {
        let lineFeed = UInt8(ascii: "\n")
        let view = bytes.readableBytesView
        guard let end = view.indices.first(where: { view[$0] == lineFeed && view[safely: $0 + 1] == lineFeed }),
            let block = bytes.readSlice(length: end - view.startIndex)
        else { return nil }
        bytes.moveReaderIndex(forwardBy: 2)
        bytes.discardReadBytes()
        return block
    }

    private static func event(_ block: ByteBuffer) -> Event? {
        var name = "message"
        var data: ByteBuffer?
        for line in block.readableBytesView.split(separator: UInt8(ascii: "\n")) {
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("event: ") { name = String(text.dropFirst(7)) }
            if text.hasPrefix("data: ") { data = ByteBuffer(bytes: line.dropFirst(6)) }
        }
        // `gone` and `complete` have no data.
        return data == nil && name == "message" ? nil : Event(name: name, data: data ?? ByteBuffer())
    }
}

extension ByteBufferView {
    fileprivate subscript(safely index: Int) -> UInt8? { index < endIndex ? self[index] : nil }
}
