import DuetGraphQLLanguage
import Testing

@Suite("The lexer")
struct LexerTests {
    private func failure(_ body: () throws(GraphQLError) -> Void) -> String {
        do throws(GraphQLError) {
            try body()
            return "none"
        } catch {
            let location = error.locations.first ?? SourceLocation(line: 0, column: 0)
            return "\(error.message) \(location.line):\(location.column)"
        }
    }

    private func value(_ text: String) throws -> Literal.Kind { try Parser.parseValue(Source(text)).kind }

    @Test(
        "Invalid text is an error with its location",
        arguments: [
            ("?", "Unexpected character: \"?\". 1:1"), ("..", "Unexpected character: \".\". 1:1"),
            ("\u{0}", "Unexpected character: U+0000. 1:1"), ("\u{7}", "Unexpected character: U+0007. 1:1"),
            ("\u{A0}", "Unexpected character: U+00A0. 1:1"), ("😀", "Unexpected character: U+1F600. 1:1"),
            ("\n\n    ?\n", "Unexpected character: \"?\". 3:5"), ("\r\n\r ?", "Unexpected character: \"?\". 3:2"),
            ("'a'", "Unexpected single quote character ('), did you mean to use a double quote (\")? 1:1"),
            ("\"", "Unterminated string. 1:2"), ("\"a\nb\"", "Unterminated string. 1:3"),
            ("\"😀\r\"", "Unterminated string. 1:4"), ("\"\"\"", "Unterminated string. 1:4"),
            ("\"\\x\"", "Invalid character escape sequence: \"\\x\". 1:2"),
            ("\"bad \\u1 esc\"", "Invalid Unicode escape sequence: \"\\u1 es\". 1:6"),
            ("\"\\uD800\"", "Invalid Unicode escape sequence: \"\\uD800\". 1:2"),
            ("\"\\uDE00\\uD83D\"", "Invalid Unicode escape sequence: \"\\uDE00\". 1:2"),
            ("\"\\u{}\"", "Invalid Unicode escape sequence: \"\\u{}\". 1:2"),
            ("\"\\u{110000}\"", "Invalid Unicode escape sequence: \"\\u{110000}\". 1:2"),
            ("\"\\u{D800}\"", "Invalid Unicode escape sequence: \"\\u{D800}\". 1:2"),
            ("\"\\u{FFFFFFFF0}\"", "Invalid Unicode escape sequence: \"\\u{FFFFFFFF\". 1:2"),
            ("00", "Invalid number, unexpected digit after 0: \"0\". 1:2"),
            ("+1", "Unexpected character: \"+\". 1:1"), ("1.", "Invalid number, expected digit but got: <EOF>. 1:3"),
            ("1.e1", "Invalid number, expected digit but got: \"e\". 1:3"),
            ("1.A", "Invalid number, expected digit but got: \"A\". 1:3"),
            ("-A", "Invalid number, expected digit but got: \"A\". 1:2"),
            ("1.0e\"", "Invalid number, expected digit but got: '\"'. 1:5"),
            ("0xF1", "Invalid number, expected digit but got: \"x\". 1:2"),
            ("1.23.4", "Invalid number, expected digit but got: \".\". 1:5"),
        ])
    func errors(_ text: String, _ message: String) {
        #expect(
            failure { () throws(GraphQLError) in _ = try Parser.parseValue(Source(text)) } == "Syntax Error: " + message
        )
    }

    @Test(
        "The escape sequences of a string are decoded",
        arguments: [
            (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u6771""#, "é東"),
            (#""\uD83D\uDE00""#, "😀"), (#""\u{1F600}\u{00000041}""#, "😀A"), (#""\u0000""#, "\u{0}"),
            ("\"\u{0}\u{7F}é東😀\"", "\u{0}\u{7F}é東😀"), ("\"#,{\"", "#,{"),
        ])
    func strings(_ text: String, _ expected: String) throws {
        guard case .string(let value, false) = try value(text) else {
            Issue.record("not a string")
            return
        }
        #expect(value == expected)
    }

    @Test(
        "A block string loses its common indentation and its empty first and last lines",
        arguments: [
            ("", ""), ("a", "a"), (" a ", " a "), ("\n  a\n    b\n\n  c\n", "a\n  b\n\nc"),
            ("\n\n\ta\n\tb\r\n\t\n", "a\nb"),
            ("a\n  b\r  c\r\n  d", "a\nb\nc\nd"), (#"\""" \n \u0041"#, #"""" \n \u0041"#), ("\n  \n \n", ""),
            ("  first\n    second", "  first\nsecond"), ("\n a\n  \n b", "a\n \nb"),
        ])
    func blockStrings(_ text: String, _ expected: String) throws {
        guard case .string(let value, true) = try value("\"\"\"\(text)\"\"\"") else {
            Issue.record("not a block string")
            return
        }
        #expect(value == expected)
    }

    @Test("A byte order mark is ignored at any position")
    func byteOrderMark() throws {
        #expect(Printer.print(try Parser.parse("\u{FEFF}{ a \u{FEFF}b }")) == "{\n  a\n  b\n}")
    }

    @Test(
        "Bytes that are not UTF-8 are an error",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xC3], [0xF4, 0x90, 0x80, 0x80], [0xE6, 0x9D], [0x80],
        ] as [[UInt8]])
    func invalidUTF8(_ bytes: [UInt8]) {
        let text = Array("{ aé #".utf8) + bytes + Array("\n }".utf8)
        let message = failure { () throws(GraphQLError) in _ = try Parser.parse(Source(text)) }
        let byte = String(bytes[0], radix: 16, uppercase: true)
        #expect(message == "Syntax Error: Invalid character: the byte 0x\(byte) is not valid UTF-8. 1:7")
    }

    @Test("Columns count UTF-16 code units, and lines end as the specification defines")
    func locations() {
        let source = Source("é😀x\r\ny\rz\n\nw")
        let places = source.bytes.indices.filter { source.bytes[$0] >= 0x77 && source.bytes[$0] < 0x7F }.map(
            source.location(at:))
        #expect(
            places == [
                SourceLocation(line: 1, column: 4), SourceLocation(line: 2, column: 1),
                SourceLocation(line: 3, column: 1), SourceLocation(line: 5, column: 1),
            ])
    }

    @Test("The line and the column of a location far inside a long text are correct")
    func farLocations() {
        let line = String(repeating: "é😀a", count: 100) + "\r\n"
        let source = Source(String(repeating: line, count: 100))
        let bytes = line.utf8.count
        for index in stride(from: 0, to: 100, by: 7) {
            #expect(source.location(at: index * bytes) == SourceLocation(line: index + 1, column: 1))
            #expect(source.location(at: index * bytes + 700) == SourceLocation(line: index + 1, column: 401))
        }
    }
}
