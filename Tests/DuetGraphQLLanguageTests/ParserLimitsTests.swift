import DuetGraphQLLanguage
import SeededTesting
import Testing

@Suite("The parser's limits")
struct ParserLimitsTests {
    private func message(_ text: String, limits: ParserLimits = .request) -> String? {
        do throws(GraphQLError) {
            _ = try Parser.parse(text, limits: limits)
            return nil
        } catch {
            return error.message
        }
    }

    private static func nested(_ count: Int) -> [String] {
        [
            String(repeating: "{a", count: count) + String(repeating: "}", count: count),
            "{" + String(repeating: "...{", count: count - 1) + "a" + String(repeating: "}", count: count),
            "{a(b:" + String(repeating: "[", count: count - 1) + String(repeating: "]", count: count - 1) + ")}",
            "{a(b:" + String(repeating: "{c:", count: count - 1) + "1" + String(repeating: "}", count: count - 1)
                + ")}",
            "query($a:" + String(repeating: "[", count: count) + "A" + String(repeating: "]", count: count) + "){a}",
            "{a@b(c:" + String(repeating: "[{d:", count: (count - 1) / 2) + "1"
                + String(repeating: "}]", count: (count - 1) / 2) + ")}",
        ]
    }

    @Test("A document with two hundred levels is parsed, printed and released on a stack of 512 KiB", arguments: 0..<6)
    func deepest(_ form: Int) throws {
        let text = Self.nested(200)[form]
        let printed = SmallStack.run { (try? Parser.parse(text)).map(Printer.print) }
        #expect(try #require(printed) != nil)
    }

    @Test("A document with more than two hundred levels is an error", arguments: 0..<6, [203, 100_000])
    func tooDeep(_ form: Int, _ count: Int) {
        let text = Self.nested(count)[form]
        let result = SmallStack.run { message(text) }
        #expect(result == "Syntax Error: Document is nested too deeply. Parsing aborted.")
    }

    @Test("More tokens than permitted are an error. Comments and commas do not count as tokens")
    func tokens() {
        #expect(message("{ a, b # c\n }", limits: ParserLimits(tokens: 4)) == nil)
        #expect(
            message("{ a, b }", limits: ParserLimits(tokens: 3))
                == "Syntax Error: Document contains more that 3 tokens. Parsing aborted.")
    }

    @Test("More bytes than permitted are an error")
    func bytes() {
        #expect(message("{ a }", limits: ParserLimits(sourceBytes: 5)) == nil)
        #expect(
            message("{ ab }", limits: ParserLimits(sourceBytes: 5))
                == "Syntax Error: Document is larger than 5 bytes. Parsing aborted.")
    }

    /// Documents with a very long token or very many tokens. The output of a test contains the name of the case instead
    /// of the text.
    enum Long: String, CaseIterable {
        case name, number, string, blockString, escapedQuotes, unicodeEscapes, emptyLines, comments, aliases, arguments

        var text: String {
            // A quarter of the count, multiplied by the test scale. `make check-tests` sets the scale 4.
            func many(_ count: Int) -> Int { TestScale.count(count / 4) }
            func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: many(count)) }
            return switch self {
            case .name: "{ \(times(1 << 20, "n")) }"
            case .number: "{ a(b: \(times(1 << 20, "9"))) }"
            case .string: "{ a(b: \"\(times(1 << 20, "s"))\") }"
            case .blockString: "{ a(b: \"\"\"\(times(1 << 18, "  x\n"))\"\"\") }"
            case .escapedQuotes: "{ a(b: \"\"\"\(times(1 << 18, "\\\"\"\""))\"\"\") }"
            case .unicodeEscapes: "{ a(b: \"\(times(1 << 16, "\\u{1F600}"))\") }"
            case .emptyLines: "{ a(b: \"\"\"\(times(1 << 20, "\r"))\"\"\") }"
            case .comments: "{ \(times(1 << 18, "# \n,")) a }"
            case .aliases: "{ " + (0..<many(10_000)).map { "a\($0): b " }.joined() + "}"
            case .arguments: "{ a(" + (0..<many(10_000)).map { "a\($0): $b " }.joined() + ") }"
            }
        }
    }

    @Test("A document with a very long token, or with very many tokens, is parsed", arguments: Long.allCases)
    func long(_ kind: Long) {
        #expect(message(kind.text) == nil)
    }

    @Test("An error message does not repeat a long token")
    func longToken() throws {
        let found = try #require(self.message("\"\(String(repeating: "s", count: 1 << 20))\" 1 {"))
        #expect(found.utf8.count < 2_000)
    }
}
