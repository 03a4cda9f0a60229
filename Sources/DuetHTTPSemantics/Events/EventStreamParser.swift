package import Foundation

/// An event of an event stream (WHATWG HTML, section 9.2.6).
package struct ServerSentEvent: Sendable, Hashable {
    package var name = "message"
    /// The last identifier of the stream at this event; `nil` if the stream has none.
    package var identifier: String?
    /// The content, without the line break at its end.
    package var data: [UInt8] = []
}

/// An event is longer than the limit.
package struct EventTooLong: Error {}

/// Reads the events of an event stream from bytes that arrive in parts.
package struct EventStreamParser: Sendable {
    private let maximumLength: Int
    private var line: [UInt8] = []
    private var event = ServerSentEvent()
    private var hasData = false
    private var identifier: String?
    private var followsCarriageReturn = false
    private var isFirstLine = true

    /// The last pause before a new connection that the stream has requested.
    package private(set) var retry: Duration?

    /// - Parameter maximumLength: The maximum length of an event in bytes.
    package init(maximumLength: Int) { self.maximumLength = maximumLength }

    /// The identifier of the last event; `nil` if there is none.
    package private(set) var lastIdentifier: String?

    /// Prepares for a new connection. An incomplete event is discarded. The last identifier and the requested pause
    /// remain valid.
    package mutating func beginConnection() {
        line = []
        event = ServerSentEvent()
        hasData = false
        identifier = lastIdentifier
        followsCarriageReturn = false
        isFirstLine = true
    }

    /// Returns the events that are complete after further bytes.
    /// - Throws: ``EventTooLong``.
    package mutating func read(_ bytes: Data) throws(EventTooLong) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var rest = bytes[...]
        if followsCarriageReturn, let first = rest.first {
            followsCarriageReturn = false
            if first == Self.lineFeed { rest = rest.dropFirst() }
        }
        while let end = rest.firstIndex(where: { $0 == Self.lineFeed || $0 == Self.carriageReturn }) {
            try append(rest[..<end])
            if let event = endLine() { events.append(event) }
            let terminator = rest[end]
            rest = rest[(end + 1)...]
            guard terminator == Self.carriageReturn else { continue }
            if rest.isEmpty { followsCarriageReturn = true }
            if rest.first == Self.lineFeed { rest = rest.dropFirst() }
        }
        try append(rest)
        return events
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private mutating func append(_ bytes: Data) throws(EventTooLong) {
        guard line.count + event.data.count + bytes.count <= maximumLength else { throw EventTooLong() }
        line.append(contentsOf: bytes)
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return endEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        let name = String(decoding: line[..<colon], as: UTF8.self)
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch name {
        case "event": event.name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { event.data.append(Self.lineFeed) }
            event.data.append(contentsOf: value)
            hasData = true
        case "id" where !value.contains(0): identifier = String(decoding: value, as: UTF8.self)
        case "retry":
            let isNumber = !value.isEmpty && value.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            if isNumber, let time = Int(String(decoding: value, as: UTF8.self)) { retry = .milliseconds(time) }
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> ServerSentEvent? {
        defer {
            event = ServerSentEvent()
            hasData = false
        }
        lastIdentifier = identifier.flatMap { $0.isEmpty ? nil : $0 }
        guard hasData else { return nil }
        if event.name.isEmpty { event.name = "message" }
        event.identifier = lastIdentifier
        return event
    }
}
