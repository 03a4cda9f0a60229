import DuetJSON
import NIOCore
import Testing

@testable import DuetComparison

@Suite("The changes that answers show") struct ShownChangesTests {
    private func moments(_ moments: (JSONValue, Double)...) -> [ShownChanges.Moment] {
        let start = ContinuousClock.Instant.now
        return moments.map { ShownChanges.Moment(state: $0.0, time: start.advanced(by: .milliseconds(Int($0.1)))) }
    }

    @Test("A change without an answer of its own is missed. Its delay ends with the next answer")
    func missed() {
        let all = moments(("a", 100), ("b", 250), ("c", 300), ("start", 0), ("a", 110), ("c", 900))
        let shown = ShownChanges(Array(all[..<3]), answers: Array(all[3...]), last: "c")
        #expect(shown.missed == [2] && shown.endsEqual)
        #expect(shown.delays == [.milliseconds(10), .milliseconds(650), .milliseconds(600)])
    }

    @Test("Without an answer after a change, there is no delay, and the end differs")
    func late() {
        let all = moments(("a", 100), ("b", 250), ("start", 0), ("a", 99))
        let shown = ShownChanges(Array(all[..<2]), answers: Array(all[2...]), last: "b")
        #expect(shown.missed == [2] && !shown.endsEqual)
        // The answer has arrived before the response to the write.
        #expect(shown.delays == [.zero, nil])
    }

    @Test("Events are read from parts of any length, without comments", arguments: [1, 2, 7, 1000])
    func events(length: Int) {
        let text =
            ":\n\nevent: value\nid: \"a\"\ndata: {\"a\":\"é\"}\n\n: comment\n\nevent: gone\n\nevent: next\ndata: {"
        var parser = LiveEventParser()
        var events: [LiveEventParser.Event] = []
        var rest = ByteBuffer(string: text)
        while let piece = rest.readSlice(length: min(length, rest.readableBytes)), piece.readableBytes > 0 {
            events += parser.read(piece)
        }
        #expect(events.map(\.name) == ["value", "gone"])
        #expect(events.map { String(buffer: $0.data) } == ["{\"a\":\"é\"}", ""])
    }

    @Test(
        "The operations of a patch give the new document",
        arguments: [
            (#"{"a":1,"b":"x"}"#, #"{"a":2,"c":null}"#), (#"[{"a/b~":1},{"a":2}]"#, #"[{"a/b~":3},{"a":2}]"#),
            ("[1,2,3,4]", "[1,4]"), ("[1,4]", "[1,2,3,4]"), ("[1]", "[1,2]"), ("[]", "{}"),
        ])
    func patch(_ old: String, _ new: String) throws {
        let (old, new) = (try JSONValue(parsing: old.utf8), try JSONValue(parsing: new.utf8))
        let patch = JSONValue.array(try #require(JSONPatch.operations(from: old, to: new)))
        #expect(try old.applying(patch) == new)
        #expect(throws: UnexpectedAnswer.self) {
            try JSONValue.array([]).applying([["op": "replace", "path": "/3", "value": 1]])
        }
    }
}
