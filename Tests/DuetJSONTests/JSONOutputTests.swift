import DuetJSON
import Foundation
import SeededTesting
import Testing

@Suite("JSON output")
struct JSONOutputTests {
    private func written(_ body: (inout JSONByteWriter) -> Void) -> String {
        var writer = JSONByteWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func written(_ bytes: [UInt8]) -> String {
        written { writer in bytes.withUnsafeBytes { writer.write(utf8: $0) } }
    }

    /// Returns the text that Foundation reads from a string literal.
    private func read(_ literal: String) throws -> String {
        let value = try JSONSerialization.jsonObject(with: Data(literal.utf8), options: .fragmentsAllowed)
        return try #require(value as? String)
    }

    @Test("Only control characters, quotes and backslashes are escaped")
    func escapes() throws {
        let short: [UInt8: String] = [8: #"\b"#, 9: #"\t"#, 10: #"\n"#, 12: #"\f"#, 13: #"\r"#, 34: #"\""#, 92: #"\\"#]
        for byte in UInt8(0)..<0x80 {
            let plain = String(UnicodeScalar(byte))
            let hex = String(byte, radix: 16)
            let expected = short[byte] ?? (byte < 0x20 ? #"\u00"# + (hex.count < 2 ? "0" + hex : hex) : plain)
            #expect(written([byte]) == "\"\(expected)\"")
            #expect(try read(written([byte])) == plain)
        }
    }

    @Test("Special bytes are written correctly at every position of texts with up to 40 bytes")
    func wordBoundaries() throws {
        let specials: [[UInt8]] = [
            [0], [0x1F], [0x22], [0x5C], [0x7F], [0xC3, 0xA9], [0xE6, 0x9D, 0xB1], [0xF0, 0x9F, 0x91, 0xA9], [0xFF],
            [0x80], [0x20], [0x21], [0x23], [0x5B], [0x5D],
        ]
        for length in 0...40 {
            let text = (0..<length).map { UInt8(0x61 + $0 % 26) }
            #expect(written(text) == "\"\(String(decoding: text, as: UTF8.self))\"")
            for position in 0..<length {
                for special in specials {
                    var bytes = text
                    bytes.replaceSubrange(position...position, with: special)
                    let expected = String(decoding: bytes, as: UTF8.self)
                    let literal = written(bytes)
                    if try read(literal) != expected { Issue.record("\(literal) is not \(expected)") }
                }
            }
        }
    }

    @Test("Bytes that are not UTF-8 become U+FFFD, as in Swift's own decoding")
    func invalidUTF8() {
        let seed = TestScale.seeds(1).lowerBound
        var generator = SplitMix64(seed: seed)
        let interesting: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
            0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFE, 0xFF,
        ]
        for _ in 0..<TestScale.count(5_000) {
            let count = Int.random(in: 1...12, using: &generator)
            let bytes = (0..<count).map { _ in interesting.randomElement(using: &generator) ?? 0 }
            let expected = JSONEncoderLike.literal(String(decoding: bytes, as: UTF8.self))
            if written(bytes) != expected { Issue.record("seed \(seed): \(bytes)") }
        }
    }

    @Test("Integers of every length are written in Swift's format")
    func integers() {
        var values: [Int64] = [.min, .max, 0, -1]
        values += (0..<10_000).map { Int64($0) }
        var power: Int64 = 1
        for _ in 0..<18 {
            power *= 10
            values += [power - 1, power, power + 1, -power, power / 9, -(power / 7)]
        }
        for value in values where written({ $0.write(value) }) != "\(value)" { Issue.record("\(value)") }
        withUnsafeTemporaryAllocation(byteCount: JSONBytes.longestInteger, alignment: 1) { space in
            guard let base = space.baseAddress else { return }
            for value in [UInt64.max, UInt64(Int64.max) + 1, 0, 10_000_000_000_000_000_000] {
                let count = JSONBytes.write(value, to: base)
                #expect(String(decoding: space[0..<count], as: UTF8.self) == "\(value)")
            }
        }
        #expect(written { $0.write(Int.min) } == "\(Int.min)")
    }

    @Test(
        "A written double is read as the same number",
        arguments: [
            0, -0.0, 0.1, 1, 1e16, 1e21, -1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi, 123_456_789.125,
        ] as [Double])
    func double(value: Double) throws {
        let text = written { $0.write(value) }
        let read = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as? [Double]
        #expect(read == [value])
    }

    @Test(
        "A double that is infinite or not a number is written as null",
        arguments: [.nan, .infinity, -.infinity] as [Double])
    func noNumber(value: Double) {
        #expect(written { $0.write(value) } == "null")
    }

    @Test("Keywords, names and raw bytes are written as JSON")
    func words() {
        #expect(written { $0.write(true) } == "true")
        #expect(written { $0.write(false) } == "false")
        #expect(written { $0.writeNull() } == "null")
        #expect(written { $0.write(key: "a\"b") } == #""a\"b":"#)
        #expect(written { $0.write(raw: "[1]") } == "[1]")
        #expect(written { $0.write("Grüße"[...]) } == "\"Grüße\"")
        var writer = JSONByteWriter(capacity: 1)
        writer.write(raw: [UInt8(ascii: "[")])
        writer.write(byte: UInt8(ascii: "]"))
        #expect(writer.bytes == Array("[]".utf8))
    }

    @Test("A value is written with its members in order")
    func value() {
        let value: JSONValue = ["b": 1, "a": [true, nil, "x", 1.5, [:], []], "\u{1}": "é"]
        let text = #"{"b":1,"a":[true,null,"x",1.5,{},[]],"\u0001":"é"}"#
        #expect(written { $0.write(value) } == text)
        #expect(value.compactText == text)
        #expect(value.compactBytes == Array(text.utf8))
    }
}

/// A simple reference implementation of JSON string literals.
enum JSONEncoderLike {
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += #"\""#
            case "\\": literal += #"\\"#
            case "\u{8}": literal += #"\b"#
            case "\t": literal += #"\t"#
            case "\n": literal += #"\n"#
            case "\u{C}": literal += #"\f"#
            case "\r": literal += #"\r"#
            case "\u{0}"..<" ":
                let hex = String(scalar.value, radix: 16)
                literal += #"\u"# + String(repeating: "0", count: 4 - hex.count) + hex
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
