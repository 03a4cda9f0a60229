import DuetGraphQL
import SeededTesting
import Testing

@Suite("Damaged documents")
struct DamagedDocumentTests {
    /// A deterministic random number generator, so that a failure is reproducible.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    private static let documents = [
        "query Q($a: [Int!]! = [1] @b) @c { d: e(f: {g: \"h\\u{1F600}\", i: [J, $a]}) { ...K ... on L @m { n } } }",
        "fragment K on L { a(b: \"\"\"\n  c \\\"\"\"\n   d\n\"\"\", e: -1.5e+3) # f\r\n }",
        "\"a\" schema @b { query: Q } type Q implements A & B @c { d(\"e\" f: G! = {h: [1]}): [I!] } union U = | Q",
        "extend enum E { A B @c } input I @oneOf { a: Int = 1 } directive @d(e: I) repeatable on | FIELD | QUERY scalar S",
    ].map { Array($0.utf8) }

    private static let pieces = [
        "{", "}", "(", "[", "]", "!", "...", "\"\"\"", "\"", "\\u", "é", "😀", "\r", "$", "@", "null", "\0",
    ]
    .map { Array($0.utf8) }

    @Test(
        "The parser terminates for damaged documents. A document that is accepted can be printed and parsed again",
        arguments: TestScale.fixedSeeds(8))
    func damaged(_ seed: UInt64) throws {
        var numbers = Numbers(state: seed)
        for _ in 0..<TestScale.count(100) {
            var text = Self.documents[Int.random(in: 0..<Self.documents.count, using: &numbers)]
            for _ in 0..<Int.random(in: 1...3, using: &numbers) where !text.isEmpty {
                let place = Int.random(in: 0..<text.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: text[place] = UInt8.random(in: 0...255, using: &numbers)
                case 1: text.remove(at: place)
                case 2: text.insert(contentsOf: Self.pieces.randomElement(using: &numbers) ?? [], at: place)
                default: text.removeSubrange(place..<min(text.count, place + 9))
                }
            }
            guard let document = try? Parser.parse(Source(text)) else { continue }
            let printed = Printer.print(document)
            #expect(Printer.print(try Parser.parse(printed)) == printed)
            let stripped = try Source(text).strippingIgnoredCharacters()
            #expect(Printer.print(try Parser.parse(stripped)) == printed)
            if let schema = try? Schema(unchecked: document) { _ = schema.validate() }
        }
    }
}
