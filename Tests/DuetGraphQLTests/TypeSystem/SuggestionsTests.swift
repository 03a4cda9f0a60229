import DuetGraphQL
import Testing

@Suite("Suggestions")
struct SuggestionsTests {
    @Test(
        "The most similar names are suggested first",
        arguments: [
            ("", ["a"], ["a"]), ("input", [], []), ("greenish", ["green"], ["green"]),
            ("green", ["greenish"], ["greenish"]),
            ("verylongstring", ["short"], []), ("abc", ["a", "ab", "abc"], ["abc", "ab", "a"]),
            ("GREEN", ["green"], ["green"]), ("abc", ["acb"], ["acb"]), ("a", ["az", "ax", "ay"], ["ax", "ay", "az"]),
            ("ab1", ["ab10", "ab2"], ["ab2", "ab10"]), ("Strng", ["Int", "String"], ["String"]),
        ] as [(String, [String], [String])])
    func nearest(_ name: String, _ options: [String], _ expected: [String]) {
        #expect(Suggestions.nearest(to: name, among: options) == expected)
    }

    @Test("A message contains at most five suggestions")
    func sentence() {
        #expect(Suggestions.didYouMean([]) == "")
        #expect(Suggestions.didYouMean(["A"]) == " Did you mean \"A\"?")
        #expect(Suggestions.didYouMean(["A", "B"]) == " Did you mean \"A\" or \"B\"?")
        #expect(Suggestions.didYouMean(["A", "B", "C"]) == " Did you mean \"A\", \"B\", or \"C\"?")
        #expect(
            Suggestions.didYouMean(["A", "B", "C", "D", "E", "F"], prefix: "the field")
                == " Did you mean the field \"A\", \"B\", \"C\", \"D\", or \"E\"?")
    }

    @Test("A name of one megabyte has no suggestions. The suggestions for a thousand wrong names can be disabled")
    func bounds() throws {
        #expect(Suggestions.nearest(to: String(repeating: "a", count: 1 << 20), among: ["a"]) == [])
        let sdl =
            "type Query { " + (0..<1_000).map { "f\($0): Type\($0)x " }.joined() + "}"
            + (0..<1_000).map { " type Type\($0) { a: Int }" }.joined()
        let document = try Parser.parse(sdl)
        let errors = SDLValidation.validate(document)
        #expect(errors.count == 1_000)
        #expect(errors.first?.message.contains("Did you mean \"Type0\"") == true)
        #expect(SDLValidation.validate(document, suggestsNames: false).first?.message == "Unknown type \"Type0x\".")
    }
}
