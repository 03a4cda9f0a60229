import DuetHTTPServer
import NIOCore
import ProcessTesting
import Testing

/// Tests of the reader of frames: RFC 6455 §5 to §8.
@Suite struct WebSocketParserTests {
    /// Parses bytes that arrive in pieces. Returns the events as words, and at last the code of the error.
    private func parse(_ pieces: [ByteBuffer], maximumMessageSize: Int = 1_000_000) -> [String] {
        var parser = WebSocketParser(maximumMessageSize: maximumMessageSize)
        var events: [String] = []
        do throws(WebSocketClose) {
            for piece in pieces {
                parser.receive(piece)
                while let event = try parser.next() { events.append(event.word) }
            }
        } catch {
            events.append("error \(error.code.rawValue)")
        }
        return events
    }

    private func parse(_ bytes: ByteBuffer, maximumMessageSize: Int = 1_000_000) -> [String] {
        self.parse([bytes], maximumMessageSize: maximumMessageSize)
    }

    // MARK: Valid frames

    @Test("A message is the same for every division of its bytes into pieces")
    func pieces() {
        let frames =
            ClientFrame.make(ClientFrame.text, "Grüße", isFinal: false)
            + ClientFrame.make(ClientFrame.ping, "p")
            + ClientFrame.make(ClientFrame.continuation, ", 🌍", isFinal: false)
            + ClientFrame.make(ClientFrame.continuation) + ClientFrame.make(ClientFrame.binary, [0, 0xFF])
            + ClientFrame.close(1000, "bye".utf8)
        let expected = ["ping p", "text Grüße, 🌍", "binary 00 ff", "close 1000 bye"]
        for first in 0...frames.readableBytes {
            for second in stride(from: first, through: frames.readableBytes, by: 5) {
                let pieces = [0..<first, first..<second, second..<frames.readableBytes].compactMap { range in
                    frames.getSlice(at: range.lowerBound, length: range.count)
                }
                #expect(self.parse(pieces) == expected, "divided at \(first) and \(second)")
            }
        }
    }

    @Test("Each length of a payload is read", arguments: [0, 1, 7, 8, 9, 125, 126, 127, 65_535, 65_536, 100_001])
    func lengths(length: Int) throws {
        let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) & 0x7F }
        var parser = WebSocketParser(maximumMessageSize: 1_000_000)
        parser.receive(ClientFrame.make(ClientFrame.text, payload))
        #expect(try parser.next() == .message(.text(ByteBuffer(bytes: payload))))
        #expect(try parser.next() == nil)
        #expect(!parser.isInside)
    }

    @Test("A parser is inside a message until the last fragment")
    func inside() throws {
        var parser = WebSocketParser(maximumMessageSize: 100)
        #expect(!parser.isInside)
        parser.receive(ClientFrame.make(ClientFrame.text, "a", isFinal: false))
        #expect(try parser.next() == nil)
        #expect(parser.isInside)
        parser.receive(ClientFrame.make(ClientFrame.continuation, "b"))
        #expect(try parser.next() == .message(.text(ByteBuffer(string: "ab"))))
        #expect(!parser.isInside)
        parser.receive(ByteBuffer(bytes: [0x81]))
        #expect(try parser.next() == nil)
        #expect(parser.isInside)
    }

    @Test("Random bytes are read to their end or to an error, and the result does not depend on their division")
    func randomBytes() {
        var random = Random()
        for _ in 0..<2_000 {
            var bytes = ByteBuffer()
            for _ in 0..<random.next(below: 6) {
                let opcodes: [UInt8] = [0, 1, 2, 8, 9, 10, 3]
                let opcode = opcodes[random.next(below: random.next(below: 20) == 0 ? 7 : 6)]
                let payload = (0..<random.next(below: 140)).map { _ in UInt8(random.next(below: 128)) }
                bytes.writeImmutableBuffer(
                    ClientFrame.make(opcode, payload, isFinal: opcode >= 8 || random.next(below: 2) == 0))
            }
            if bytes.readableBytes > 0, random.next(below: 4) == 0 {
                bytes.setInteger(UInt8(random.next(below: 256)), at: random.next(below: bytes.readableBytes))
            }
            var pieces: [ByteBuffer] = []
            var rest = bytes
            while rest.readableBytes > 0 {
                let length = min(rest.readableBytes, 1 + random.next(below: 30))
                if let piece = rest.readSlice(length: length) { pieces.append(piece) }
            }
            #expect(self.parse(pieces, maximumMessageSize: 300) == self.parse(bytes, maximumMessageSize: 300))
        }
    }

    // MARK: Invalid frames

    @Test(
        "A frame that violates the protocol is an error 1002 as soon as its header shows it",
        arguments: [
            ("the first reserved bit", [0xC1]), ("the second reserved bit", [0xA1]), ("the third reserved bit", [0x91]),
            ("opcode 3", [0x83]), ("opcode 7", [0x87]), ("opcode 11", [0x8B]), ("opcode 15", [0x8F]),
            ("no mask", [0x81, 0x01]), ("a fragmented ping", [0x09]), ("a fragmented close frame", [0x08]),
            ("a ping of 126 bytes", [0x89, 0xFE]), ("a close frame with a long length", [0x88, 0xFF]),
            ("a continuation of nothing", [0x80, 0x80, 1, 2, 3, 4]),
            ("125 bytes as a length of two bytes", [0x82, 0xFE, 0, 125]),
            ("65,535 bytes as a length of eight bytes", [0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
            ("a length with the highest bit", [0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        ] as [(String, [UInt8])])
    func violations(name: String, bytes: [UInt8]) {
        #expect(self.parse(ByteBuffer(bytes: bytes)) == ["error 1002"], "\(name)")
        #expect(self.parse(ByteBuffer(bytes: bytes.dropLast())) == [], "\(name) is not detected too early")
    }

    @Test("A message that begins within another one is an error 1002")
    func interleaved() {
        let first = ClientFrame.make(ClientFrame.text, "a", isFinal: false)
        for opcode in [ClientFrame.text, ClientFrame.binary] {
            #expect(self.parse(first + ClientFrame.make(opcode, "b")) == ["error 1002"])
        }
        let complete = ClientFrame.make(ClientFrame.text, "a")
        #expect(self.parse(complete + ClientFrame.make(ClientFrame.continuation, "b")) == ["text a", "error 1002"])
    }

    @Test("A message that is too large is an error 1009 before its payload arrives")
    func sizes() {
        let fits = ClientFrame.make(ClientFrame.text, "aaaa")
        #expect(self.parse(fits, maximumMessageSize: 4) == ["text aaaa"])
        for length in [5, 200, 70_000, 1 << 30, UInt64(Int64.max)] {
            #expect(
                self.parse(ClientFrame.header(ClientFrame.text, length: length), maximumMessageSize: 4) == [
                    "error 1009"
                ])
        }
        let begin = ClientFrame.make(ClientFrame.text, "aa", isFinal: false)
        let last = ClientFrame.header(ClientFrame.continuation, length: 3)
        #expect(self.parse(begin + last, maximumMessageSize: 4) == ["error 1009"])
        // Control frames do not count.
        let ping = ClientFrame.make(ClientFrame.ping, "0123456789")
        #expect(self.parse(ping, maximumMessageSize: 4) == ["ping 0123456789"])
    }

    // MARK: UTF-8

    @Test(
        "An invalid text is an error 1007 at the first byte that makes it invalid, within a frame or after a fragment",
        arguments: [
            [0x80], [0xBF], [0xC0], [0xC1], [0xC3, 0x28], [0xE0, 0x9F], [0xE1, 0x80, 0xC0], [0xED, 0xA0], [0xEF, 0x7F],
            [0xF0, 0x8F], [0xF1, 0x80, 0x80, 0x41], [0xF4, 0x90], [0xF5], [0xF8], [0xFF],
        ] as [[UInt8]])
    func invalidText(bytes: [UInt8]) {
        let text = Array("0123456789 κόσμε ".utf8) + bytes
        // The frame announces bytes that never arrive.
        let frame = ClientFrame.make(ClientFrame.text, text + Array(repeating: 0x61, count: 20))
        let cut = frame.getSlice(at: 0, length: frame.readableBytes - 20) ?? ByteBuffer()
        #expect(self.parse(cut) == ["error 1007"])
        #expect(self.parse(cut.getSlice(at: 0, length: cut.readableBytes - 1) ?? cut) == [])
        #expect(self.parse(ClientFrame.make(ClientFrame.text, text, isFinal: false)) == ["error 1007"])
        #expect(self.parse(ClientFrame.make(ClientFrame.binary, text)).count == 1)
    }

    @Test("The first and the last character of each length are valid, also if a frame ends within them")
    func validText() {
        let text =
            "\u{0}\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFD}\u{FFFF}\u{10000}\u{3FFFF}\u{40000}\u{10FFFF}"
        let bytes = Array(text.utf8)
        for index in 0...bytes.count {
            let frames =
                ClientFrame.make(ClientFrame.text, bytes[..<index], isFinal: false)
                + ClientFrame.make(ClientFrame.continuation, bytes[index...])
            #expect(self.parse(frames) == ["text \(text)"])
        }
    }

    @Test("A text that ends within a character is an error 1007")
    func incompleteText() {
        #expect(self.parse(ClientFrame.make(ClientFrame.text, [0xF0, 0x9F, 0x8C])) == ["error 1007"])
        #expect(self.parse(ClientFrame.make(ClientFrame.text, [0xC3], isFinal: false)) == [])
    }

    // MARK: Close frames

    @Test("The codes of the standard, of libraries and of applications are valid in a close frame")
    func closeCodes() {
        let valid: [UInt16] = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4999]
        for code in valid { #expect(self.parse(ClientFrame.close(code)) == ["close \(code) "]) }
        let invalid: [UInt16] = [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535]
        for code in invalid { #expect(self.parse(ClientFrame.close(code)) == ["error 1002"]) }
    }

    @Test("A close frame may be empty, but its code has two bytes, and its reason is UTF-8")
    func closePayloads() {
        #expect(self.parse(ClientFrame.make(ClientFrame.close)) == ["close"])
        #expect(self.parse(ClientFrame.make(ClientFrame.close, [3])) == ["error 1002"])
        #expect(self.parse(ClientFrame.close(1000, Array(repeating: 0x61, count: 123))).first?.count == 11 + 123)
        #expect(self.parse(ClientFrame.close(1000, [0xCE])) == ["error 1007"])
    }
}

/// Deterministic random numbers (splitmix64).
private struct Random {
    private var state: UInt64 = 1

    mutating func next(below limit: Int) -> Int {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var value = (self.state ^ self.state >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ value >> 31) % UInt64(limit))
    }
}

extension WebSocketParser.Event {
    /// The event as a word for its type, and its content.
    fileprivate var word: String {
        switch self {
        case .message(.text(let bytes)): "text \(String(buffer: bytes))"
        case .message(.binary(let bytes)):
            "binary "
                + bytes.readableBytesView.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined(separator: " ")
        case .ping(let bytes): "ping \(String(buffer: bytes))"
        case .pong: "pong"
        case .close(let close?): "close \(close.code.rawValue) \(close.reason)"
        case .close(nil): "close"
        }
    }
}
