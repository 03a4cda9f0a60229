import Foundation
import Testing

@testable import DuetHTTPSemantics

@Suite("Parser of event streams")
struct EventStreamParserTests {
    /// Returns the events as `name id data`.
    private static func read(_ text: String, pieceLength: Int = .max, limit: Int = 1 << 20) throws -> [String] {
        var parser = EventStreamParser(maximumLength: limit)
        var rest = Data(text.utf8)
        var events: [String] = []
        while !rest.isEmpty {
            for event in try parser.read(Data(rest.prefix(pieceLength))) {
                events.append(
                    "\(event.name) \(event.identifier ?? "-") \(String(decoding: event.data, as: UTF8.self))")
            }
            rest = Data(rest.dropFirst(pieceLength))
        }
        return events
    }

    @Test(
        "Events have a name, an identifier and data, for each kind of line break and each division into parts",
        arguments: ["\n", "\r\n", "\r"], [1, 2, 3, 1000])
    func events(_ lineBreak: String, _ pieceLength: Int) throws {
        let lines = [
            "\u{FEFF}: comment", "", "event: value", "id: \"a\"", "data: {}", "", "data:first", "data: second", "",
            "event: nothing", "", "id", "data", "", "unknown: x", "data: ü", "", "data: incomplete",
        ]
        let events = try Self.read(lines.joined(separator: lineBreak), pieceLength: pieceLength)
        #expect(events == ["value \"a\" {}", "message \"a\" first\nsecond", "message - ", "message - ü"])
    }

    @Test("The identifier and the requested pause remain valid on the next connection, an incomplete event does not")
    func connections() throws {
        var parser = EventStreamParser(maximumLength: 100)
        _ = try parser.read(Data("retry: 250\nid: 7\ndata: x\n\nretry: soon\nid: 8\ndata: y\n".utf8))
        #expect(parser.lastIdentifier == "7")
        parser.beginConnection()
        let events = try parser.read(Data("data: z\n\n".utf8))
        #expect(events == [ServerSentEvent(identifier: "7", data: Array("z".utf8))])
        #expect(parser.retry == .milliseconds(250))
    }

    @Test("An event that is longer than the limit is an error")
    func limit() throws {
        #expect(try Self.read("data: 123456\n\n", limit: 15).count == 1)
        #expect(throws: EventTooLong.self) {
            try Self.read("data: 123456\ndata: 12345\ndata: 1\n\n", limit: 15)
        }
    }
}
