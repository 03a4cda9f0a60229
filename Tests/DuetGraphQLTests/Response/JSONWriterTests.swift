import DuetGraphQL
import DuetJSON
import NIOCore
import Testing

@Suite("The JSON writer")
struct JSONWriterTests {
    private static let texts = [
        "", "plain", "a \"quoted\" \\ line\n\u{1}", "é東😀", String(repeating: "long, é\t", count: 500),
    ]

    /// Calls each function of ``JSONOutput``.
    private static func writeAll(to output: inout some JSONOutput) {
        output.write(raw: "[")
        output.write(true)
        output.write(raw: Array(",".utf8))
        output.writeNull()
        for number in [0, 7, -12, Int.max, Int.min] {
            output.write(byte: UInt8(ascii: ","))
            output.write(number)
        }
        for number in [0, -0.5, 1e21, Double.nan] {
            output.write(byte: UInt8(ascii: ","))
            output.write(number)
        }
        for text in texts {
            output.write(raw: ",{")
            output.write(key: text)
            output.write(text)
            output.write(raw: "},")
            output.write(["value": [.string(text), nil, 1.5, [:], []]] as JSONValue)
        }
        output.write(raw: ",")
        Array("\u{FF}é".utf16.map { UInt8(truncatingIfNeeded: $0) }).withUnsafeBytes { output.write(utf8: $0) }
        output.write(raw: "]")
    }

    @Test(
        "`JSONWriter` writes the same bytes as `JSONByteWriter`, for any initial capacity", arguments: [0, 1, 1 << 20])
    func sameBytes(capacity: Int) throws {
        var expected = JSONByteWriter()
        Self.writeAll(to: &expected)
        var writer = JSONWriter(capacity: capacity)
        Self.writeAll(to: &writer)
        #expect(Array(writer.buffer.readableBytesView) == expected.bytes)
        _ = try JSONValue(parsing: expected.bytes)
    }

    @Test("A writer appends to the bytes of an existing buffer")
    func goesOn() {
        var writer = JSONWriter(ByteBuffer(string: "["))
        writer.write(1)
        writer.write(byte: UInt8(ascii: "]"))
        #expect(String(buffer: writer.buffer) == "[1]")
    }
}
