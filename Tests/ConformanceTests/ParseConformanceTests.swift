import GraphQL
import Testing

@Suite("Parsing and printing, by outside cases")
struct ParseConformanceTests {
    /// Where this parser rightly answers otherwise.
    static let differences = [
        "01f01e4e3cb9": "the place depends on how deep that implementation's call stack is",
        "6b4072f8f442": "the place depends on how deep that implementation's call stack is",
    ]

    @Test(
        "A document parses to what it should print, or fails as it should",
        arguments: ConformanceData.documents(of: "parse"))
    func parse(_ expected: ConformanceData.Case) throws {
        do throws(GraphQLError) {
            let printed = Printer.print(try Parser.parse(expected.source ?? ""))
            #expect(expected.error == nil, "it parsed")
            #expect(printed == expected.printed)
            let again = try Parser.parse(printed)
            #expect(Printer.print(again) == printed)
            let stripped = try Source(printed).strippingIgnoredCharacters()
            #expect(Printer.print(try Parser.parse(stripped)) == printed)
        } catch {
            let failure = try #require(expected.error, "it failed: \(error)")
            #expect(ConformanceData.normalized(error.message) == ConformanceData.normalized(failure.message))
            if Self.differences[expected.id] == nil {
                #expect(error.locations.map { .init(line: $0.line, column: $0.column) } == failure.locations)
            }
        }
    }
}
